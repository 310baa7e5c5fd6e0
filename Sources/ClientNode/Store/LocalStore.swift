package import Foundation
package import Shared
package import Wire

/// What the phone's store daemon keeps: records, signed copies, finished marks and the position that they are of.
///
/// It notes what has changed, so that one write a turn saves just that.
package struct LocalStore: Sendable {
  package let device: String
  package private(set) var state: DeviceState
  package private(set) var history: TransactionHistory
  private var copies: [WantedCopy.Subject: SignedCopy]
  private var unsaved = Unsaved()
  /// Whether copies came from the disk and were not checked since.
  private var hasUncheckedCopies = false

  private struct Unsaved: Sendable {
    var state = false
    var everything = false
    var records: Set<TransactionID> = []
    var renewalInfos: Set<TransactionID> = []
    var copies: Set<WantedCopy.Subject> = []
  }

  /// - Parameter freshVerificationId: for a device that was never stored.
  package init(device: String, account: String, stored: StoredDevice?, freshVerificationId: UUID) {
    self.device = device
    guard let stored else {
      state = DeviceState(account: account, deviceVerificationId: freshVerificationId)
      history = TransactionHistory()
      copies = [:]
      unsaved.state = true
      return
    }
    state = stored.state
    history = TransactionHistory(records: stored.records, renewalInfos: stored.renewalInfos)
    copies = stored.copies
    hasUncheckedCopies = !copies.isEmpty
    guard stored.state.account != account else { return }
    // Another account signed in on this phone: nothing of the one before may show.
    state.account = account
    state.applied = .start
    state.pendingFinishes = []
    state.appTransaction = nil
    state.refundsToReplay = nil
    state.storefront = nil
    history = TransactionHistory()
    copies = [:]
    unsaved.everything = true
  }

  package var isEmpty: Bool { state.applied == .start }

  package mutating func change(_ body: (inout DeviceState) -> Void) {
    let before = state
    body(&state)
    if state != before { unsaved.state = true }
  }

  // MARK: Records

  @discardableResult
  package mutating func put(_ record: TransactionRecord) -> Bool {
    var record = record
    if state.pendingFinishes.contains(record.transactionId) { record.isFinished = true }
    guard history.put(record) else { return false }
    unsaved.records.insert(record.transactionId)
    return true
  }

  @discardableResult
  package mutating func put(_ info: RenewalInfo) -> Bool {
    guard history.put(info) else { return false }
    unsaved.renewalInfos.insert(info.originalTransactionId)
    return true
  }

  @discardableResult
  package mutating func finish(_ id: TransactionID) -> Bool {
    guard history.finish(id) else { return false }
    unsaved.records.insert(id)
    return true
  }

  /// The account's history anew. Marks that the store does not know of yet stay; copies stay within an epoch.
  package mutating func replace(_ snapshot: TransactionHistory, at position: StreamPosition) {
    // Under a new epoch the same ids may mean something else.
    if position.epoch != state.applied.epoch { copies = [:] }
    history = snapshot
    state.pendingFinishes = state.pendingFinishes.filter { snapshot[$0] != nil }
    for id in state.pendingFinishes { history.finish(id) }
    state.applied = position
    unsaved.everything = true
  }

  // MARK: Copies

  package func copy(_ subject: WantedCopy.Subject) -> SignedCopy? { copies[subject] }

  package mutating func put(_ copy: SignedCopy, for subject: WantedCopy.Subject) {
    copies[subject] = copy
    unsaved.copies.insert(subject)
  }

  /// The copies that were good when they were stored, and have to be checked again; none the second time.
  package mutating func takeUncheckedCopies() -> [WantedCopy.Subject: SignedCopy] {
    guard hasUncheckedCopies else { return [:] }
    hasUncheckedCopies = false
    return copies.filter { $0.value.failure == nil }
  }

  package func signed(_ record: TransactionRecord) -> SignedTransaction {
    let copy = copies[.transaction(record.transactionId)]
    return SignedTransaction(
      record: record, jws: copy?.jws ?? "", failure: copy == nil ? .invalidEncoding : copy?.failure)
  }

  /// A lineage's status; nil for a lineage that is no subscription here.
  package func status(_ lineage: TransactionID) -> SignedStatus? {
    guard let info = history.renewalInfos[lineage], let record = history[info.latestTransactionId] else { return nil }
    let copy = copies[.renewalInfo(lineage)]
    return SignedStatus(
      info: info, infoJWS: copy?.jws ?? "", infoFailure: copy == nil ? .invalidEncoding : copy?.failure,
      transaction: signed(record))
  }

  // MARK: Saving

  /// The next write is of everything, since an earlier one was lost.
  package mutating func saveEverything() { unsaved.everything = true }

  /// What has changed since the last call; nil when nothing has.
  package mutating func takeWrite() -> DeviceWrite? {
    let changes = unsaved
    guard
      changes.state || changes.everything || !changes.records.isEmpty || !changes.renewalInfos.isEmpty
        || !changes.copies.isEmpty
    else { return nil }
    unsaved = Unsaved()
    if changes.everything {
      return DeviceWrite(
        device: device, replacesAll: true, state: state, records: history.records,
        renewalInfos: Array(history.renewalInfos.values), copies: copies)
    }
    return DeviceWrite(
      device: device, replacesAll: false, state: state, records: changes.records.compactMap { history[$0] },
      renewalInfos: changes.renewalInfos.compactMap { history.renewalInfos[$0] },
      copies: Dictionary(
        uniqueKeysWithValues: changes.copies.compactMap { subject in copies[subject].map { (subject, $0) } }))
  }
}
