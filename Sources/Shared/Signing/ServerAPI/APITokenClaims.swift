/// What a token says (Apple: Generating JSON Web Tokens for API requests).
package struct APITokenClaims: Hashable, Sendable, Codable {
  package static let audience = "appstoreconnect-v1"

  package var iss: String
  /// Seconds since 1970; JSON Web Tokens may have fractions.
  /// Nil where it is left out, as Apple's Python library does.
  package var iat: Double?
  /// Seconds since 1970.
  package var exp: Double
  /// One audience or several (RFC 7519 §4.1.3).
  package var aud: [String]
  /// The app's bundle id.
  package var bid: String

  package init(iss: String, iat: Double?, exp: Double, aud: [String], bid: String) {
    self.iss = iss
    self.iat = iat
    self.exp = exp
    self.aud = aud
    self.bid = bid
  }

  private enum CodingKeys: CodingKey { case iss, iat, exp, aud, bid }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    iss = try values.decode(String.self, forKey: .iss)
    iat = try values.decodeIfPresent(Double.self, forKey: .iat)
    exp = try values.decode(Double.self, forKey: .exp)
    bid = try values.decode(String.self, forKey: .bid)
    if let one = try? values.decode(String.self, forKey: .aud) {
      aud = [one]
    } else {
      aud = try values.decode([String].self, forKey: .aud)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(iss, forKey: .iss)
    // Apple's libraries write whole seconds.
    try values.encodeIfPresent(iat.map { Int64($0) }, forKey: .iat)
    try values.encode(Int64(exp), forKey: .exp)
    try values.encode(bid, forKey: .bid)
    if aud.count == 1 { try values.encode(aud[0], forKey: .aud) } else { try values.encode(aud, forKey: .aud) }
  }
}
