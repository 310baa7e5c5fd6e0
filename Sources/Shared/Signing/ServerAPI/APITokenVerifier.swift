import Foundation

/// Decides whether a token opens the App Store Server API of one world. A pure value: the same token at the same time
/// gets the same answer.
package struct APITokenVerifier: Sendable {
  /// Clocks of honest clients may be this far ahead, in seconds.
  package static let clockSkew: Double = 60
  /// The longest that a token may live, in seconds.
  package static let maximumLifetime: Double = 3600

  private let key: APIKey
  private let bundleId: String

  /// Tokens of Apple's libraries have about 400 bytes.
  private static let maximumCount = 8192

  package init(key: APIKey, bundleId: String) {
    self.key = key
    self.bundleId = bundleId
  }

  /// Which key the token says it is signed with: not to be believed, but enough to find the world.
  package static func keyId(of token: some StringProtocol) -> String? {
    (try? split(token))?.header.kid
  }

  /// The claims of a token that is to be accepted.
  ///
  /// - Parameter now: Seconds since 1970 of the machine's clock: tokens are made by real servers, whatever time it is in
  ///   the world.
  package func verify(_ token: some StringProtocol, at now: Double) throws(APITokenRefusal) -> APITokenClaims {
    let (jws, header) = try Self.split(token)
    guard header.alg == JWSHeader.es256, header.typ == "JWT", header.crit == nil else { throw .wrongHeader }
    guard header.kid == key.id else { throw .wrongKey(kid: header.kid ?? "") }
    guard key.hasSigned(jws) else { throw .wrongSignature }
    let claims = try Self.claims(jws.payloadData)
    guard claims.iss == key.issuer else { throw .wrongIssuer }
    guard claims.aud.contains(APITokenClaims.audience) else { throw .wrongAudience }
    guard claims.bid == bundleId else { throw .wrongBundle(claims.bid) }
    if let issuedAt = claims.iat, issuedAt > now + Self.clockSkew { throw .issuedInTheFuture }
    guard now < claims.exp else { throw .expired }
    // Without a time of issue it counts from now, which the signer's clock may be ahead of.
    guard claims.exp - (claims.iat ?? now + Self.clockSkew) <= Self.maximumLifetime else { throw .livesTooLong }
    return claims
  }

  private static func split(
    _ token: some StringProtocol
  ) throws(APITokenRefusal) -> (jws: CompactJWS, header: JWSHeader) {
    guard token.utf8.count <= maximumCount, let jws = try? CompactJWS(Data(token.utf8)),
      let header = try? JSONDecoder().decode(JWSHeader.self, from: jws.headerData)
    else { throw .malformed }
    return (jws, header)
  }

  private static func claims(_ payload: Data) throws(APITokenRefusal) -> APITokenClaims {
    do { return try JSONDecoder().decode(APITokenClaims.self, from: payload) } catch let error as DecodingError {
      switch error {
      case .keyNotFound(let key, _): throw .missingClaim(key.stringValue)
      case .typeMismatch(_, let context), .valueNotFound(_, let context):
        throw context.codingPath.first.map { .missingClaim($0.stringValue) } ?? .malformed
      default: throw .malformed
      }
    } catch { throw .malformed }
  }
}
