/// The tokens that were verified lately, by their exact text, each until it expires; bounded.
///
/// Only tokens that were accepted come in, so nobody without the key can push others out.
package struct APITokenCache: Sendable {
  private var claims: [String: APITokenClaims] = [:]
  /// The one that was asked for last: servers use one token for many requests.
  private var last: (token: String, claims: APITokenClaims)?
  /// The texts in the order in which they came, in a ring.
  private var order: [String] = []
  private var next = 0
  private let capacity: Int

  package init(capacity: Int = 1024) { self.capacity = max(capacity, 1) }

  package var count: Int { claims.count }

  /// What the token says, if it was accepted before and is still good.
  package mutating func find(_ token: some StringProtocol, at now: Double) -> APITokenClaims? {
    if let last, last.token == token { return now < last.claims.exp ? last.claims : nil }
    let token = String(token)
    guard let found = claims[token], now < found.exp else { return nil }
    last = (token, found)
    return found
  }

  /// Keeps a token that was accepted, if need be in place of the oldest.
  package mutating func insert(_ accepted: APITokenClaims, for token: some StringProtocol) {
    let token = String(token)
    guard claims.updateValue(accepted, forKey: token) == nil else { return }
    if order.count < capacity {
      order.append(token)
    } else {
      claims[order[next]] = nil
      order[next] = token
      next = (next + 1) % capacity
    }
  }
}
