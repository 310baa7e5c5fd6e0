package import Shared

/// Which notifications are wanted, oldest first.
package struct NotificationQuery: Hashable, Sendable {
  /// Behind this number.
  package var after: UInt64
  package var limit: Int
  /// Not before.
  package var from: StoreTime?
  /// Not after.
  package var until: StoreTime?
  /// Nil for any, as for all that follow.
  package var type: String?
  package var subtype: String?
  package var customer: UInt64?
  /// Whether those that were delivered are left out.
  package var onlyFailures: Bool
  /// Whether those that are not signed yet are left out.
  package var onlySigned: Bool

  package init(
    after: UInt64 = 0, limit: Int, from: StoreTime? = nil, until: StoreTime? = nil, type: String? = nil,
    subtype: String? = nil, customer: UInt64? = nil, onlyFailures: Bool = false, onlySigned: Bool = false
  ) {
    self.after = after
    self.limit = limit
    self.from = from
    self.until = until
    self.type = type
    self.subtype = subtype
    self.customer = customer
    self.onlyFailures = onlyFailures
    self.onlySigned = onlySigned
  }

  func matches(_ notification: StoredNotification) -> Bool {
    guard notification.number > after else { return false }
    if let from, notification.at < from { return false }
    if let until, notification.at > until { return false }
    if let type, notification.type != type { return false }
    if let subtype, notification.subtype != subtype { return false }
    if let customer, notification.customer != customer { return false }
    if onlyFailures, notification.isDelivered { return false }
    return !onlySigned || notification.payloadSequence > 0
  }
}
