package import Foundation

/// A file with private keys, which only its owner may read (mode 0600).
package enum KeyFile {
  /// A file of that name is replaced as a whole: a crash leaves either the old one or the new one.
  package static func write(_ bytes: Data, to url: URL, operation: String) throws(SigningError) {
    let draft = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    do {
      // The file is made with its mode, so that there is no moment in which others can open it.
      let descriptor = open(draft.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw systemError() }
      defer { unlink(draft.path) }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try file.write(contentsOf: bytes)
      try file.synchronize()
      guard rename(draft.path, url.path) == 0 else { throw systemError() }
    } catch {
      throw SigningError(operation: operation, reason: "\(error). Check that the folder exists and can be written.")
    }
  }

  package static func read(_ url: URL, operation: String) throws(SigningError) -> Data {
    do { return try Data(contentsOf: url) } catch {
      throw SigningError(operation: operation, reason: "\(error). Check that the file exists and can be read.")
    }
  }

  private static func systemError() -> SystemError { SystemError(code: errno) }

  private struct SystemError: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(code)) }
  }
}
