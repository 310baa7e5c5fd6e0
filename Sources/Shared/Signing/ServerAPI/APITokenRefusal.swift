/// Why a token is refused: for the server's log. The client gets 401 and no body, as at Apple.
package enum APITokenRefusal: Error, Hashable, Sendable {
  /// No compact JWS of a sensible size with a JSON header.
  case malformed
  /// `alg` is not ES256, `typ` is not JWT, or the header has extensions.
  case wrongHeader
  case wrongKey(kid: String)
  case wrongSignature
  /// A claim is missing, or of another type.
  case missingClaim(String)
  case wrongIssuer
  case wrongAudience
  case wrongBundle(String)
  case issuedInTheFuture
  case expired
  /// More than 60 minutes from `iat` to `exp`.
  case livesTooLong
}

extension APITokenRefusal: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed: "the token is no JSON Web Token"
    case .wrongHeader: "the token's header must have alg ES256 and typ JWT"
    case .wrongKey(let kid): "the token's kid '\(Self.short(kid))' is not the id of this world's API key"
    case .wrongSignature: "the token is not signed with this world's API key"
    case .missingClaim(let name): "the token's claim '\(name)' is missing or of the wrong type"
    case .wrongIssuer: "the token's iss is not the issuer id of this world's API key"
    case .wrongAudience: "the token's aud must be \(APITokenClaims.audience)"
    case .wrongBundle(let bid): "the token's bid '\(Self.short(bid))' is not this world's bundle id"
    case .issuedInTheFuture: "the token's iat is in the future: compare the clocks"
    case .expired: "the token's exp is over"
    case .livesTooLong: "the token's exp must be at most 60 minutes after its iat"
    }
  }

  /// What others write is quoted with its start only.
  private static func short(_ text: String) -> String { String(text.prefix(64)) }
}
