package import Foundation

/// The one certificate with which a world of the environment `Xcode` signs, and its private key, as StoreKit Testing in
/// Xcode has them: self-signed, and nobody above it.
///
/// Apple's is valid for a year; this one is for all that a world's clock can show.
package struct XcodeAuthority: Sendable {
  package let certificateDER: Data
  let key: OpenSSLKey

  /// Makes a certificate with a key of its own.
  package init() throws(SigningError) {
    key = try .generate()
    certificateDER = try OpenSSLCertificate.issue(
      .xcode, world: "", key: key, notBefore: CertificateAuthority.notBefore, notAfter: CertificateAuthority.notAfter,
      issuerDER: nil, issuerKey: key
    ).der()
  }

  /// What verifiers of this world believe.
  package var trust: TrustStore { TrustStore(roots: [], selfSigned: [certificateDER]) }

  /// Writes key and certificate to a file that only its owner may read (mode 0600). A file of that name is replaced as a
  /// whole.
  package func save(to url: URL) throws(SigningError) {
    let text = try PEM.text(key: key) + PEM.text(certificateDER: certificateDER)
    try KeyFile.write(Data(text.utf8), to: url, operation: "save a certificate to \(url.path)")
  }

  /// Reads what ``save(to:)`` wrote.
  package static func load(from url: URL) throws(SigningError) -> XcodeAuthority {
    let operation = "load a certificate from \(url.path)"
    let text = String(decoding: try KeyFile.read(url, operation: operation), as: UTF8.self)
    let keys = try PEM.keys(in: text)
    let certificates = try PEM.certificates(in: text)
    guard keys.count == 1, certificates.count == 1,
      try OpenSSLCertificate.read(der: certificates[0]).belongs(to: keys[0])
    else {
      throw SigningError(
        operation: operation,
        reason: "it does not hold one private key and its certificate. Restore it, or remove it to get a new one.")
    }
    return XcodeAuthority(certificateDER: certificates[0], key: keys[0])
  }

  private init(certificateDER: Data, key: OpenSSLKey) {
    self.certificateDER = certificateDER
    self.key = key
  }
}
