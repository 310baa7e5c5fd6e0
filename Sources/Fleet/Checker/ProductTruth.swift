package import Shared

/// What is true of one product of an account, and why, in words.
package struct ProductTruth: Sendable, Hashable {
  package var productId: String
  /// The transaction that decides.
  package var transactionId: TransactionID
  package var isEntitled: Bool
  package var isFamilyShared: Bool
  /// Such as `renewed 2026-03-01, until 2026-04-01`.
  package var why: String
}
