import Shared

/// What decisions need to know of all periods of an own subscription, when the old ones are archived.
package struct LineageSummary: Hashable, Sendable, Codable {
  /// The plans that it ever had.
  package private(set) var products: Set<String> = []
  /// Periods that cost something and were not refunded.
  package private(set) var paidPeriods = 0

  package init() {}

  /// - Parameter isNew: whether the record is of a new period, not a change to one.
  mutating func note(_ record: TransactionRecord, isNew: Bool, _ kind: AccountEvent.Kind) {
    if isNew { products.insert(record.productId) }
    guard record.price > 0 else { return }
    if isNew {
      if record.revocation == nil { paidPeriods += 1 }
    } else if kind == .refunded {
      paidPeriods -= 1
    } else if kind == .refundReversed {
      paidPeriods += 1
    }
  }
}
