import Foundation

/// Where in the source a call is written.
struct SourcePlace {
  /// Of the file.
  let folder: URL
  /// The module, which is the target.
  let module: Substring

  init(fileID: String, filePath: String) {
    folder = URL(filePath: filePath).deletingLastPathComponent()
    module = fileID.prefix { $0 != "/" }
  }

  /// SwiftPM names these folders `PACKAGE_TARGET.resources`.
  func isOfTarget(resources folder: URL) -> Bool {
    folder.deletingPathExtension().lastPathComponent.hasSuffix("_\(module)")
  }
}
