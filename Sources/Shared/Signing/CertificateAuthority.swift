package import Foundation

/// The root, intermediate and leaf with which one world signs, and their private keys.
///
/// All three are P-256: Apple's verifiers accept it for roots too, and with it a new world costs a fraction of what
/// P-384 would take.
package struct CertificateAuthority: Sendable {
  package let rootDER: Data
  package let intermediateDER: Data
  package let leafDER: Data
  let rootKey: OpenSSLKey
  let intermediateKey: OpenSSLKey
  let leafKey: OpenSSLKey

  /// Validity of root and intermediate in milliseconds since 1970: all that a world's clock can show.
  package static let notBefore: Int64 = 0
  /// 9999-12-31T23:59:59Z, the last second that X.509 can express.
  package static let notAfter: Int64 = 253_402_300_799_000

  /// Makes a new authority with keys of its own.
  ///
  /// - Parameters:
  ///   - world: The world's name, for people who look at a certificate.
  ///   - ocspURL: Where verifiers ask whether leaf and intermediate are revoked; nil for nowhere.
  package init(
    world: String, leaf: LeafProfile = .standard, ocspURL: String? = nil
  ) throws(SigningError) {
    rootKey = try .generate()
    intermediateKey = try .generate()
    leafKey = try .generate()
    rootDER = try OpenSSLCertificate.issue(
      .root, world: world, key: rootKey, notBefore: Self.notBefore, notAfter: Self.notAfter, issuerDER: nil,
      issuerKey: rootKey
    ).der()
    intermediateDER = try OpenSSLCertificate.issue(
      .intermediate(isMarked: true), world: world, key: intermediateKey, notBefore: Self.notBefore,
      notAfter: Self.notAfter, issuerDER: rootDER, issuerKey: rootKey, ocspURL: ocspURL
    ).der()
    leafDER = try OpenSSLCertificate.issue(
      .leaf(isMarked: leaf.isMarked), world: world, key: leafKey, notBefore: leaf.notBefore, notAfter: leaf.notAfter,
      issuerDER: intermediateDER, issuerKey: intermediateKey, ocspURL: ocspURL
    ).der()
  }

  /// The same root and the same keys, with an intermediate and a leaf that name another place for OCSP. Whoever trusts
  /// the root believes both.
  package func moved(toOCSP ocspURL: String, world: String) throws(SigningError) -> CertificateAuthority {
    let intermediate = try OpenSSLCertificate.issue(
      .intermediate(isMarked: true), world: world, key: intermediateKey, notBefore: Self.notBefore,
      notAfter: Self.notAfter, issuerDER: rootDER, issuerKey: rootKey, ocspURL: ocspURL
    ).der()
    let leaf = try OpenSSLCertificate.issue(
      .leaf(isMarked: true), world: world, key: leafKey, notBefore: Self.notBefore, notAfter: Self.notAfter,
      issuerDER: intermediate, issuerKey: intermediateKey, ocspURL: ocspURL
    ).der()
    return CertificateAuthority(
      certificates: [rootDER, intermediate, leaf], keys: [rootKey, intermediateKey, leafKey])
  }

  /// Where verifiers ask whether the leaf is revoked; nil for nowhere.
  package func ocspURL() throws(SigningError) -> String? { try OpenSSLCertificate.read(der: leafDER).ocspURL }

  /// The same root and intermediate with another leaf, that has a key and a serial number of its own.
  ///
  /// This makes the faults: a leaf that is flawed by its profile, or a good one whose serial number the caller puts on
  /// the list of revoked ones.
  package func issuingLeaf(
    _ leaf: LeafProfile = .standard, world: String
  ) throws(SigningError) -> CertificateAuthority {
    let key = try OpenSSLKey.generate()
    let certificate = try OpenSSLCertificate.issue(
      .leaf(isMarked: leaf.isMarked), world: world, key: key, notBefore: leaf.notBefore, notAfter: leaf.notAfter,
      issuerDER: intermediateDER, issuerKey: intermediateKey)
    return CertificateAuthority(
      certificates: [rootDER, intermediateDER, try certificate.der()], keys: [rootKey, intermediateKey, key])
  }

  /// What verifiers of this world believe.
  package var trust: TrustStore { TrustStore(roots: [rootDER]) }

  /// The leaf's serial number, to be put on a list of revoked ones.
  package func leafSerial() throws(SigningError) -> CertificateSerial {
    try OpenSSLCertificate.read(der: leafDER).serial()
  }

  /// The certificates in the order of `x5c`: leaf, intermediate, root.
  var chain: [Data] { [leafDER, intermediateDER, rootDER] }

  /// For certificates and keys that are known to belong together: three of each, root first.
  private init(certificates: [Data], keys: [OpenSSLKey]) {
    (rootDER, intermediateDER, leafDER) = (certificates[0], certificates[1], certificates[2])
    (rootKey, intermediateKey, leafKey) = (keys[0], keys[1], keys[2])
  }

  /// Reads what ``pem()`` wrote.
  package init(pem: String) throws(SigningError) {
    let operation = "read a certificate authority from PEM text"
    let remedy = "Restore the text from a backup, or remove it to get a new authority."
    let keys = try PEM.keys(in: pem)
    let certificates = try PEM.certificates(in: pem)
    guard keys.count == 3, certificates.count == 3 else {
      throw SigningError(
        operation: operation,
        reason: "it holds \(keys.count) private keys and \(certificates.count) certificates, not 3 of each. \(remedy)")
    }
    for (key, certificate) in zip(keys, certificates) {
      guard try OpenSSLCertificate.read(der: certificate).belongs(to: key) else {
        throw SigningError(operation: operation, reason: "a private key is not its certificate's. \(remedy)")
      }
    }
    self.init(certificates: certificates, keys: keys)
  }

  /// A certificate in DER as PEM text.
  package static func pem(ofCertificate der: Data) throws(SigningError) -> String { try PEM.text(certificateDER: der) }

  /// Whether the text has certificates in it.
  package static func hasCertificates(pem text: String) -> Bool {
    (try? PEM.certificates(in: text))?.isEmpty == false
  }

  /// Keys (PKCS #8) and certificates of root, intermediate and leaf as PEM text. Whoever has it can sign for the world.
  package func pem() throws(SigningError) -> String {
    var text = ""
    for (key, certificate) in [(rootKey, rootDER), (intermediateKey, intermediateDER), (leafKey, leafDER)] {
      text += try PEM.text(key: key)
      text += try PEM.text(certificateDER: certificate)
    }
    return text
  }
}
