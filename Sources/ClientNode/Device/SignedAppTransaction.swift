package import Shared

/// What the store signed about the app of this account, and what checking it gave.
package struct SignedAppTransaction: Hashable, Sendable {
  /// Compact JWS.
  package var jws: String
  /// Nil when it is good.
  package var failure: VerificationFailure?

  package init(jws: String, failure: VerificationFailure?) {
    self.jws = jws
    self.failure = failure
  }
}
