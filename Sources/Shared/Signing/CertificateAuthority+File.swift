package import Foundation

extension CertificateAuthority {
  /// Writes the keys and certificates to a file that only its owner may read (mode 0600).
  ///
  /// A file of that name is replaced as a whole: a crash leaves either the old authority or the new one.
  package func save(to url: URL) throws(SigningError) {
    let operation = "save a certificate authority to \(url.path)"
    let bytes = Data(try pem().utf8)
    let draft = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    do {
      // The file is made with its mode, so that there is no moment in which others can open it.
      let descriptor = open(draft.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw Self.systemError() }
      defer { unlink(draft.path) }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try file.write(contentsOf: bytes)
      try file.synchronize()
      guard rename(draft.path, url.path) == 0 else { throw Self.systemError() }
    } catch {
      throw SigningError(operation: operation, reason: "\(error). Check that the folder exists and can be written.")
    }
  }

  /// Reads the authority from a file that ``save(to:)`` wrote.
  package static func load(from url: URL) throws(SigningError) -> CertificateAuthority {
    let operation = "load a certificate authority from \(url.path)"
    let bytes: Data
    do {
      bytes = try Data(contentsOf: url)
    } catch {
      throw SigningError(operation: operation, reason: "\(error). Check that the file exists and can be read.")
    }
    do throws(SigningError) {
      return try CertificateAuthority(pem: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw SigningError(operation: operation, reason: error.reason)
    }
  }

  private static func systemError() -> SystemError { SystemError(code: errno) }

  private struct SystemError: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: strerror(code)) }
  }
}
