import Synchronization

/// A verifier with a cache, for many threads at once. The lock is held for look-ups only: signatures are verified
/// outside of it.
package final class APITokenGate: Sendable {
  private let verifier: APITokenVerifier
  private let cache: Mutex<APITokenCache>

  package init(_ verifier: APITokenVerifier, cacheCapacity: Int = 1024) {
    self.verifier = verifier
    cache = Mutex(APITokenCache(capacity: cacheCapacity))
  }

  /// The claims of a token that is to be accepted.
  ///
  /// - Parameter now: Seconds since 1970 of the machine's clock.
  @discardableResult
  package func check(_ token: some StringProtocol, at now: Double) throws(APITokenRefusal) -> APITokenClaims {
    if let known = cache.withLock({ $0.find(token, at: now) }) { return known }
    let claims = try verifier.verify(token, at: now)
    cache.withLock { $0.insert(claims, for: token) }
    return claims
  }
}
