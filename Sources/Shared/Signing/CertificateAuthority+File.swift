package import Foundation

extension CertificateAuthority {
  /// Writes the keys and certificates to a file that only its owner may read (mode 0600).
  ///
  /// A file of that name is replaced as a whole: a crash leaves either the old authority or the new one.
  package func save(to url: URL) throws(SigningError) {
    try KeyFile.write(
      Data(try pem().utf8), to: url, operation: "save a certificate authority to \(url.path)")
  }

  /// Reads the authority from a file that ``save(to:)`` wrote.
  package static func load(from url: URL) throws(SigningError) -> CertificateAuthority {
    let operation = "load a certificate authority from \(url.path)"
    let bytes = try KeyFile.read(url, operation: operation)
    do throws(SigningError) {
      return try CertificateAuthority(pem: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw SigningError(operation: operation, reason: error.reason)
    }
  }
}
