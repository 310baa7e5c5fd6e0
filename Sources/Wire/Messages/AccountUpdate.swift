package import Foundation
package import Shared

/// One event of an account as devices get it: what changed, unsigned. Every journal event of the account is one
/// update, with the same sequence, so that a gap in the numbers is a loss.
package struct AccountUpdate: Codable, Hashable, Sendable {
  package var sequence: UInt64
  /// The journal event's name: `purchased`, `renewed`, `refunded`…
  package var name: String
  package var at: StoreTime
  /// New or changed transactions.
  package var records: [TransactionRecord]
  package var renewalInfos: [RenewalInfo]
  /// Transactions that are finished from now on.
  package var finished: [TransactionID]
  /// Where the account buys from now on, ISO 3166-1 alpha-3; nil where that stays as it was.
  package var storefront: String?
  /// The request that caused it: the device that made it learns of it from the reply.
  package var cause: Cause?

  package struct Cause: Codable, Hashable, Sendable {
    package var request: UUID
    package var device: String?
    package var intendedAt: Int64?

    package init(request: UUID, device: String?, intendedAt: Int64? = nil) {
      self.request = request
      self.device = device
      self.intendedAt = intendedAt
    }
  }

  package init(
    sequence: UInt64, name: String, at: StoreTime, records: [TransactionRecord] = [], renewalInfos: [RenewalInfo] = [],
    finished: [TransactionID] = [], storefront: String? = nil, cause: Cause? = nil
  ) {
    self.sequence = sequence
    self.name = name
    self.at = at
    self.records = records
    self.renewalInfos = renewalInfos
    self.finished = finished
    self.storefront = storefront
    self.cause = cause
  }

  /// Published under this name on a topic when its subscription has arrived: from here on nothing is missed.
  package static let subscribed = "subscribed"
  /// Everything before it is gone: whoever hears of it asks for a snapshot.
  package static let reset = "reset"
  /// Something that was bought never was, and the event does not say what: ask for a snapshot too.
  package static let deleted = "deleted"
  /// After these a snapshot says what is left.
  package static let losses: Set<String> = [reset, deleted]
}
