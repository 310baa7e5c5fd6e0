package import Shared

/// A signed copy as the device holds it, with what checking it gave.
package struct SignedCopy: Hashable, Sendable, Codable {
  /// The revision of the record that was signed.
  package var revision: UInt64
  /// Compact JWS; empty when the store had none to give.
  package var jws: String
  package var failure: VerificationFailure?

  package init(revision: UInt64, jws: String, failure: VerificationFailure?) {
    self.revision = revision
    self.jws = jws
    self.failure = failure
  }
}
