import Shared
import Wire

/// What a world's habits make of a phone's answers and announcements.
extension DeviceCore {
  /// How long the local store takes to load where `coldStartEmpty` shows it.
  static let coldStartMilliseconds: Int64 = 300
  /// How long after a purchase it is announced here too.
  static let ownPurchaseMilliseconds: Int64 = 500

  // MARK: Queries

  /// When the local store will have loaded in this launch; nil when it has, or when nobody sees it.
  var coldStartEnds: MonotonicTime? {
    guard habits.coldStartEmpty, let app else { return nil }
    let end = app.begunAt.advanced(byMilliseconds: DeviceCore.coldStartMilliseconds)
    return now < end ? end : nil
  }

  /// - Parameters:
  ///   - now: the store's time when there is no contact with it.
  ///   - time: the store's time in any case, as far as it is known.
  func currentEntitlements(offlineAt now: StoreTime?, at time: StoreTime) -> [TransactionRecord] {
    if habits.offlineColdStartEmpty, app?.hadContact != true { return [] }
    return store.history
      .currentEntitlements(offlineAt: habits.offlineStaysEntitled ? nil : now, habits: habits, at: time)
      .filter { isListed($0.transactionId) }
  }

  var unfinished: [TransactionRecord] {
    guard let reappeared = app?.reappeared, !reappeared.isEmpty else {
      return store.history.unfinished.filter { isListed($0.transactionId) }
    }
    return store.history.records
      .filter { (!$0.isFinished || reappeared.contains($0.transactionId)) && isListed($0.transactionId) }
      .map { record in
        var record = record
        record.isFinished = false
        return record
      }
  }

  private func isListed(_ id: TransactionID) -> Bool { unlistedUntil[id].map { $0 <= now } ?? true }

  /// Whether a subscription reads expired for a moment, though it runs.
  func readsExpired(_ lineage: TransactionID) -> Bool { expiredUntil[lineage].map { now < $0 } ?? false }

  /// What a cancelled task gets instead of the answer to a question; nil for what is no question.
  static func emptyAnswer(to call: DaemonCall, currency: String) -> DaemonAnswer? {
    switch call {
    case .transactions: .transactions([])
    case .statuses: .statuses([])
    case .products: .products(GetProducts.Reply(products: [], groups: [:], currency: currency, locale: "en_US"))
    default: nil
    }
  }

  // MARK: News

  /// A transaction that the phone did not know has arrived.
  mutating func noteArrival(of record: TransactionRecord) {
    if record.transactionReason == .renewal {
      guard habits.expiredAtRenewal > 0 else { return }
      expiredUntil[record.originalTransactionId] = now.advanced(byMilliseconds: habits.expiredAtRenewal)
    } else if habits.lateListing > 0 {
      unlistedUntil = unlistedUntil.filter { now < $0.value }
      unlistedUntil[record.transactionId] = now.advanced(byMilliseconds: habits.lateListing)
    }
  }

  /// A refund that no running app hears of, since the launch replay is still to come.
  mutating func noteRefund(_ record: TransactionRecord, known: TransactionRecord?) {
    guard habits.refundReplayedAtLaunch, app?.hasReplayed != true, record.revocation != nil, let known,
      known.revocation == nil
    else { return }
    store.change { $0.refundsToReplay = ($0.refundsToReplay ?? []).union([record.transactionId]) }
  }

  /// The order of the launch replay: that of purchase, where renewals may change their places among each other.
  func inReplayOrder(_ records: [TransactionRecord]) -> [TransactionRecord] {
    guard habits.newestRenewalsFirst else { return records }
    var renewals = records.filter { $0.transactionReason == .renewal }
    return records.map { $0.transactionReason == .renewal ? renewals.removeLast() : $0 }
  }

  // MARK: Finished transactions

  /// The newest transaction of each product that was finished and not taken back.
  private func newestFinished() -> [TransactionRecord] {
    var newest: [String: TransactionRecord] = [:]
    for record in store.history.records where record.revocation == nil { newest[record.productId] = record }
    return newest.values.filter(\.isFinished)
  }

  func reappearAtLaunch(_ app: inout AppSession) {
    guard habits.finishedTransactionsReappear else { return }
    app.reappeared.formUnion(newestFinished().map(\.transactionId))
  }

  mutating func reappearAfterSync() {
    guard habits.finishedTransactionsReappear else { return }
    let plans = newestFinished().filter { $0.type == .autoRenewable }
    app?.reappeared.formUnion(plans.map(\.transactionId))
  }

  // MARK: Announced later

  /// An element that has been given comes again a few times.
  func repeatLater(_ id: TransactionID, _ app: inout AppSession) {
    guard habits.duplicateDeliveries > 0 else { return }
    for time in 1...habits.duplicateDeliveries {
      app.later.append(
        .init(at: now.advanced(byMilliseconds: habits.duplicateDelay * time), content: .transaction(id)))
    }
  }

  mutating func announceOwnPurchase(_ record: TransactionRecord) {
    guard var app else { return }
    repeatLater(record.transactionId, &app)
    if habits.purchaseAlsoUpdates || (habits.subscriptionAlsoUpdates && record.type == .autoRenewable) {
      app.later.append(
        .init(
          at: now.advanced(byMilliseconds: DeviceCore.ownPurchaseMilliseconds),
          content: .transaction(record.transactionId)))
    }
    self.app = app
  }

  /// What waited for a listener goes to this one.
  mutating func giveKept(to iterator: IteratorID, _ effects: inout [ClientEffect]) {
    guard var app else { return }
    for record in app.kept.compactMap({ store.history[$0] }) where !record.isFinished || record.revocation != nil {
      let element = signed(record)
      effects.append(.yield([iterator], .transaction(element)))
      app.note(element)
    }
    app.kept = []
    self.app = app
  }

  /// When the app is to hear something without anything happening; nil for never.
  var nextDelivery: MonotonicTime? {
    guard hasDeliveries else { return coldStartEnds }
    guard let app else { return nil }
    return ([coldStartEnds, app.nextRepetition] + app.later.map(\.at)).compactMap { $0 }.min()
  }

  /// Nothing is announced before the launch replay. Looked at in every turn: without a copy of the session.
  private var hasDeliveries: Bool {
    guard app?.hasReplayed == true else { return false }
    return habits.repeatedUnfinished > 0 || app?.nextRepetition != nil || app?.later.isEmpty == false
  }

  /// Announces what is due, and sets when what is unfinished comes again.
  mutating func deliverLater(_ effects: inout [ClientEffect]) {
    guard hasDeliveries, var app else { return }
    for delivery in app.later.filter({ $0.at <= now }).sorted(by: { $0.at < $1.at }) {
      switch delivery.content {
      case .transaction(let id): announce(id, &app, &effects)
      case .status(let lineage):
        guard !app.statusIterators.isEmpty, let status = status(lineage) else { continue }
        effects.append(.yield(app.statusIterators, .status(status)))
      }
    }
    app.later.removeAll { $0.at <= now }
    if habits.repeatedUnfinished <= 0 {
      app.nextRepetition = nil
    } else if app.nextRepetition.map({ $0 <= now }) ?? true {
      if app.nextRepetition != nil {
        for record in unfinished { announce(record.transactionId, &app, &effects) }
      }
      app.nextRepetition = now.advanced(byMilliseconds: habits.repeatedUnfinished)
    }
    self.app = app
  }

  /// Gives a transaction, as it is now, to all iterators once more.
  private mutating func announce(_ id: TransactionID, _ app: inout AppSession, _ effects: inout [ClientEffect]) {
    guard !app.iterators.isEmpty, let record = store.history[id] else { return }
    let element = signed(record)
    effects.append(.yield(app.iterators, .transaction(element)))
    app.note(element)
  }
}
