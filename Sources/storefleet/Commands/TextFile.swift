import Foundation

/// Files that an option names and that are read as a whole.
enum TextFile {
  /// The text of a file in UTF-8.
  ///
  /// - Throws: `CommandFailure` that says which file it is, and what about it is not as expected.
  static func read(_ file: String) throws(CommandFailure) -> String {
    do { return try String(contentsOfFile: file, encoding: .utf8) } catch {
      throw CommandFailure("cannot read '\(file)': \(reason(file, error))", exitCode: .unreachable)
    }
  }

  private static func reason(_ file: String, _ error: any Error) -> String {
    // Foundation has no word for a folder, and takes a pipe or a device for a file that may not be read.
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: URL(filePath: file).resolvingSymlinksInPath().path)
    switch attributes?[.type] as? FileAttributeType {
    case nil: return "there is no such file"
    case .typeDirectory?: return "it is a folder: name a file"
    case .typeRegular?: break
    default: return "it is no regular file: copy it into one"
    }
    switch (error as? CocoaError)?.code {
    case .fileReadNoPermission?: return "you may not read it"
    case .fileReadInapplicableStringEncoding?, .fileReadCorruptFile?: return "it is no text in UTF-8"
    default: return error.localizedDescription
    }
  }
}
