package import Foundation

/// The key with which an app's developer signs offers, and the App Store checks them. P-256.
///
/// The private key must never be printed: descriptions and mirrors leave it out, and it is not `Codable`.
package struct OffersKey: Sendable {
  package let id: String
  private let key: OpenSSLKey

  /// - Parameter privateKey: PEM text, or the base64 of a PKCS #8 key, as configuration files have it.
  package init(id: String, privateKey: String) throws(SigningError) {
    let isPEM = privateKey.contains("-----BEGIN")
    let body = privateKey.filter { !$0.isWhitespace }
    let text = isPEM ? privateKey : "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"
    let keys = try PEM.keys(in: text)
    guard keys.count == 1 else {
      throw SigningError(
        operation: "read the offers key '\(id)'",
        reason: "expected one P-256 private key as PEM text or base64, found \(keys.count).")
    }
    self.init(id: id, key: keys[0])
  }

  private init(id: String, key: OpenSSLKey) {
    self.id = id
    self.key = key
  }

  /// Makes a key of its own.
  package static func generate(id: String) throws(SigningError) -> OffersKey {
    OffersKey(id: id, key: try .generate())
  }

  /// PKCS #8.
  package func privateKeyPEM() throws(SigningError) -> String { try PEM.text(key: key) }

  /// ECDSA P-256 over SHA-256, DER.
  package func sign(_ message: Data) throws(SigningError) -> Data {
    Data(try key.sign(digest: try Self.digest(of: message)).der())
  }

  /// Whether DER bytes are this key's signature of a message.
  package func isValid(_ signature: Data, of message: Data) -> Bool {
    // A longer one is none, and is not worth reading.
    guard signature.count <= ECDSASignature.maximumDERCount,
      let signature = try? ECDSASignature(der: Array(signature)[...]), let digest = try? Self.digest(of: message)
    else { return false }
    return (try? key.isValid(signature, digest: digest)) ?? false
  }

  /// A compact JWS in ES256 that names the key (`kid`).
  package func jws(_ payload: Data) throws(SigningError) -> CompactJWS {
    let header = JWSHeader(alg: JWSHeader.es256, kid: id, typ: "JWT", x5c: nil)
    return try JWSSigner(key: key, header: header).sign(payload)
  }

  /// The payload of a compact JWS that this key has signed.
  package func payload(of text: String) throws(VerificationFailure) -> Data {
    let jws = try CompactJWS(text)
    guard let header = try? JSONDecoder().decode(JWSHeader.self, from: jws.headerData),
      header.alg == JWSHeader.es256, header.crit == nil
    else { throw .invalidEncoding }
    guard header.kid == id, let signature = ECDSASignature(raw: jws.signatureData),
      let digest = try? Self.digest(of: jws.signedData), (try? key.isValid(signature, digest: digest)) == true
    else { throw .invalidSignature }
    return jws.payloadData
  }

  private static func digest(of message: Data) throws(SigningError) -> [UInt8] {
    var digest = try OpenSSLDigest.startSHA256()
    try digest.update(message, 0..<message.count)
    return try digest.finish()
  }
}

extension OffersKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "OffersKey(id: \(id), key: <secret>)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
