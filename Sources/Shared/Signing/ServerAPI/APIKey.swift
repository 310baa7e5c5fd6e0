package import Foundation

/// The key with which a developer's server calls the App Store Server API, with what App Store Connect says about it.
///
/// The private key must never be printed: descriptions and mirrors leave it out, and it is not `Codable`.
package struct APIKey: Sendable {
  /// Ten letters and digits, the `kid` of tokens.
  package let id: String
  /// The `iss` of tokens.
  package let issuerId: UUID
  private let key: OpenSSLKey

  init(id: String, issuerId: UUID, key: OpenSSLKey) {
    self.id = id
    self.issuerId = issuerId
    self.key = key
  }

  /// Makes a key of its own, P-256.
  package static func generate() throws(SigningError) -> APIKey {
    let characters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    var id = ""
    // No secret: the key is, and OpenSSL makes it.
    for _ in 0..<10 { id.append(characters[Int.random(in: characters.indices)]) }
    return APIKey(id: id, issuerId: UUID(), key: try .generate())
  }

  /// As Apple's tokens and libraries write it.
  package var issuer: String { issuerId.uuidString.lowercased() }

  /// The text of a `.p8` file: PKCS #8.
  package func privateKeyPEM() throws(SigningError) -> String { try PEM.text(key: key) }

  /// A token for the App Store Server API.
  ///
  /// - Parameters:
  ///   - issuedAt: Seconds since 1970.
  ///   - expiresAt: At most 3600 seconds later, else the token is refused.
  package func token(bundleId: String, issuedAt: Int64, expiresAt: Int64) throws(SigningError) -> String {
    let claims = APITokenClaims(
      iss: issuer, iat: Double(issuedAt), exp: Double(expiresAt), aud: [APITokenClaims.audience], bid: bundleId)
    return try token(claims)
  }

  func token(_ claims: APITokenClaims) throws(SigningError) -> String {
    do { return try token(payload: try JSONEncoder().encode(claims)) } catch let error as SigningError {
      throw error
    } catch {
      throw SigningError(operation: "encode a token", reason: "\(error)")
    }
  }

  /// For claims that no honest client makes.
  func token(payload: Data, header: JWSHeader? = nil) throws(SigningError) -> String {
    let header = header ?? JWSHeader(alg: JWSHeader.es256, kid: id, typ: "JWT", x5c: nil)
    return try JWSSigner(key: key, header: header).sign(payload).string
  }

  /// Whether the signature of the token is this key's.
  func hasSigned(_ jws: CompactJWS) -> Bool {
    guard let signature = ECDSASignature(raw: jws.signatureData), var digest = try? OpenSSLDigest.startSHA256() else {
      return false
    }
    let signed = jws.signedData
    guard (try? digest.update(signed, 0..<signed.count)) != nil, let bytes = try? digest.finish() else { return false }
    return (try? key.isValid(signature, digest: bytes)) ?? false
  }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "APIKey(id: \(id), issuerId: \(issuer), key: <secret>)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["id": id, "issuerId": issuerId]) }
}
