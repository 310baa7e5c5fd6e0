package import Shared

/// A renewal date that was moved into the future.
package struct SubscriptionExtension: Hashable, Sendable, Codable {
  package var originalTransactionId: TransactionID
  package var days: Int
  /// Apple: extendReasonCode.
  package var reason: Int
  /// When it was granted.
  package var date: StoreTime

  /// Apple: twice within 365 days.
  package static let mostPerYear = 2
  static let yearMilliseconds: Int64 = 365 * 86_400_000

  package init(originalTransactionId: TransactionID, days: Int, reason: Int, date: StoreTime) {
    self.originalTransactionId = originalTransactionId
    self.days = days
    self.reason = reason
    self.date = date
  }
}
