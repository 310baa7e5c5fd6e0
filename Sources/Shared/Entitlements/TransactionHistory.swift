/// One account's records and renewal infos, with the questions that StoreKit asks of them.
///
/// The server's account and the device's local store both keep one; what a query contains is decided here alone
/// (Apple: Transaction.all, .currentEntitlements, .unfinished, .latest(for:)).
package struct TransactionHistory: Hashable, Sendable, Codable {
  /// In order of their ids, which is the order of purchase.
  package private(set) var records: [TransactionRecord] = []
  /// By lineage.
  package private(set) var renewalInfos: [TransactionID: RenewalInfo] = [:]

  package init() {}

  package init(records: [TransactionRecord], renewalInfos: [RenewalInfo]) {
    records.forEach { put($0) }
    renewalInfos.forEach { put($0) }
  }

  package subscript(id: TransactionID) -> TransactionRecord? {
    index(of: id).map { records[$0] }
  }

  /// Adds a record or replaces it by a newer revision; an older one changes nothing.
  /// - Returns: whether the history changed.
  @discardableResult
  package mutating func put(_ record: TransactionRecord) -> Bool {
    let place = insertionIndex(of: record.transactionId)
    guard place < records.count, records[place].transactionId == record.transactionId else {
      records.insert(record, at: place)
      return true
    }
    guard record.recordRevision > records[place].recordRevision else { return false }
    var record = record
    // Finishing is for ever: a record that was read before it was finished must not undo the mark.
    record.isFinished = record.isFinished || records[place].isFinished
    records[place] = record
    return true
  }

  /// Forgets all other records.
  package mutating func keep(only records: [TransactionRecord]) { self.records = records }

  @discardableResult
  package mutating func put(_ info: RenewalInfo) -> Bool {
    if let known = renewalInfos[info.originalTransactionId], known.recordRevision >= info.recordRevision {
      return false
    }
    renewalInfos[info.originalTransactionId] = info
    return true
  }

  /// - Returns: whether it was known and unfinished.
  @discardableResult
  package mutating func finish(_ id: TransactionID) -> Bool {
    guard let place = index(of: id), !records[place].isFinished else { return false }
    records[place].isFinished = true
    return true
  }

  // MARK: Queries

  package var unfinished: [TransactionRecord] { records.filter { !$0.isFinished } }

  /// Apple: Transaction.all. A finished consumable shows only when it was revoked, or when the app opted in.
  package func all(includingFinishedConsumables: Bool = false) -> [TransactionRecord] {
    records.filter { record in
      record.type != .consumable || !record.isFinished || record.revocation != nil || includingFinishedConsumables
    }
  }

  /// The newest transaction of a product.
  package func latest(for productId: String) -> TransactionRecord? {
    all().last { $0.productId == productId }
  }

  /// What the account may use. `offlineAt` is the device's time when it has no contact with the store: then a
  /// subscription also ends by the clock. `time` is the store's, for habits that depend on it.
  package func currentEntitlements(
    offlineAt now: StoreTime? = nil, habits: Habits = Habits(), at time: StoreTime? = nil
  ) -> [TransactionRecord] {
    // Several records of one non-renewing product count as one: the newest.
    var newestNonRenewing: [String: TransactionID] = [:]
    for record in records where record.type == .nonRenewing && record.revocation == nil {
      newestNonRenewing[record.productId] = record.transactionId
    }
    let entitled = records.filter { record in
      guard record.revocation == nil else { return false }
      switch record.type {
      case .nonConsumable: return true
      case .nonRenewing: return newestNonRenewing[record.productId] == record.transactionId
      case .autoRenewable: return isEntitled(record, offlineAt: now, habits, at: time)
      default: return false
      }
    }
    return habits.sharedHidesOwn ? onePerProduct(entitled) : entitled
  }

  /// The newest that a family member shares, else the newest of the own.
  private func onePerProduct(_ records: [TransactionRecord]) -> [TransactionRecord] {
    var chosen: [String: TransactionRecord] = [:]
    for record in records {
      if let other = chosen[record.productId], other.inAppOwnershipType == .familyShared,
        record.inAppOwnershipType != .familyShared
      {
        continue
      }
      chosen[record.productId] = record
    }
    return records.filter { chosen[$0.productId]?.transactionId == $0.transactionId }
  }

  private func isEntitled(
    _ record: TransactionRecord, offlineAt now: StoreTime?, _ habits: Habits, at time: StoreTime?
  ) -> Bool {
    if record.isUpgraded {
      guard habits.upgradedStaysEntitled, let expires = record.expiresDate, let time else { return false }
      return time < expires
    }
    guard let info = renewalInfos[record.originalTransactionId],
      info.latestTransactionId == record.transactionId
    else { return false }
    switch info.status {
    case .subscribed:
      guard let now, let expires = record.expiresDate else { return true }
      return now < expires
    case .inGracePeriod:
      guard let now, let end = info.gracePeriodExpiresDate else { return true }
      return now < end
    case .inBillingRetryPeriod: return habits.retryStillEntitled
    default: return false
    }
  }

  // MARK: Places

  private func insertionIndex(of id: TransactionID) -> Int {
    // New transactions come at the end; look there first.
    guard let last = records.last else { return 0 }
    if last.transactionId < id { return records.count }
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      if records[middle].transactionId < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func index(of id: TransactionID) -> Int? {
    let place = insertionIndex(of: id)
    return place < records.count && records[place].transactionId == id ? place : nil
  }
}
