package import Foundation

/// Public files that are not part of the package, for tests that are skipped without them: configuration files of others,
/// and Swift listings of articles.
package enum PublicMaterial {
  /// The folder that `STOREFLEET_SHARED` names, else `shared` beside the package; nil when it is not there.
  private static let folder: URL? = {
    let named = ProcessInfo.processInfo.environment["STOREFLEET_SHARED"].map { URL(filePath: $0) }
    let folder = (named ?? package.appending(path: "../shared")).standardizedFileURL
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The `.storekit` files in `storekit-files`, by name.
  package static let configurations = files("storekit-files", "storekit")

  /// The Swift files in `seeds/listings`, by name. Those of one article begin with the same number: `000-1-…`, `000-2-…`.
  package static let listings = files("seeds/listings", "swift")

  /// What a skipped test says.
  package static let absence =
    "there are no public files in STOREFLEET_SHARED, or in a folder 'shared' beside the package"

  /// The listing of this name, without `.swift`; nil when it is not there.
  package static func listing(_ name: String) -> URL? {
    listings.first { $0.deletingPathExtension().lastPathComponent == name }
  }

  private static func files(_ path: String, _ ending: String) -> [URL] {
    guard let folder else { return [] }
    let content = try? FileManager.default.contentsOfDirectory(
      at: folder.appending(path: path), includingPropertiesForKeys: nil)
    return (content ?? []).filter { $0.pathExtension == ending }.sorted { $0.path < $1.path }
  }
}
