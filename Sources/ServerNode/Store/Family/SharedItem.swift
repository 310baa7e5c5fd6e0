package import Shared

/// What a purchaser shares with the family: one lineage, with its latest transaction.
package struct SharedItem: Hashable, Sendable, Codable {
  package struct ID: Hashable, Sendable, Codable {
    /// The purchaser's account.
    package var account: String
    package var lineage: TransactionID

    package init(account: String, lineage: TransactionID) {
      self.account = account
      self.lineage = lineage
    }
  }

  package var id: ID
  package var record: TransactionRecord
  /// Subscriptions only.
  package var renewalInfo: RenewalInfo?

  /// Set for what was bought before its product could be shared: since when it can.
  package var shareableSince: StoreTime?

  package init(id: ID, record: TransactionRecord, renewalInfo: RenewalInfo?, shareableSince: StoreTime? = nil) {
    self.id = id
    self.record = record
    self.renewalInfo = renewalInfo
    self.shareableSince = shareableSince
  }

  /// App Store Connect: who subscribes when Family Sharing is turned on has to begin sharing himself.
  package var needsOptIn: Bool { shareableSince != nil && renewalInfo != nil }

  /// Whether it gives access now.
  package var isActive: Bool {
    guard record.revocation == nil, !record.isUpgraded else { return false }
    guard let renewalInfo else { return true }
    return renewalInfo.status == .subscribed || renewalInfo.status == .inGracePeriod
  }
}
