import Shared
import Wire

extension DeviceCore {
  /// Puts a change into the local store and tells the app what is news to it.
  mutating func apply(_ change: IncomingChange, _ effects: inout [ClientEffect]) {
    var news = News()
    switch change.content {
    case .update(let update):
      take(change.copies)
      for record in update.records { note(record, &news) }
      for info in update.renewalInfos where store.put(info) { news.lineages.insert(info.originalTransactionId) }
      for id in update.finished { store.finish(id) }
      move(to: update.storefront, &effects)
      store.change { $0.applied = max($0.applied, change.position) }
      tell(news, cause: update.cause, isLive: change.isLive, &effects)
    case .snapshot(let snapshot, let storefront):
      let before = store.history
      let isNewEpoch = change.position.epoch != applied.epoch
      store.replace(snapshot, at: change.position)
      take(change.copies)
      for record in snapshot.records {
        let known = before[record.transactionId].flatMap { known in
          isNewEpoch && known.purchaseDate != record.purchaseDate ? nil : known
        }
        noteRefund(store.history[record.transactionId] ?? record, known: known)
        if News.isNews(store.history[record.transactionId] ?? record, known: known)
          || app?.coalesced.contains(record.transactionId) == true
        {
          news.transactions.append(record.transactionId)
        }
      }
      for (lineage, info) in snapshot.renewalInfos where before.renewalInfos[lineage] != info {
        news.lineages.insert(lineage)
      }
      move(to: storefront, &effects)
      tell(news, cause: nil, isLive: false, &effects)
    }
    mayHaveClaims = true
  }

  /// Where the account buys now; nil where that is as it was.
  private mutating func move(to storefront: String?, _ effects: inout [ClientEffect]) {
    guard let storefront else { return }
    store.change { $0.storefront = storefront }
    guard let app, app.storefront != storefront else { return }
    self.app?.storefront = storefront
    if !app.storefrontIterators.isEmpty { effects.append(.yield(app.storefrontIterators, .storefront(storefront))) }
  }

  private mutating func take(_ copies: [WantedCopy.Subject: SignedCopy]) {
    for (subject, copy) in copies where (store.copy(subject)?.revision ?? 0) <= copy.revision {
      store.put(copy, for: subject)
    }
  }

  private mutating func note(_ record: TransactionRecord, _ news: inout News) {
    let known = store.history[record.transactionId]
    guard store.put(record), let now = store.history[record.transactionId] else { return }
    noteRefund(now, known: known)
    if known == nil { noteArrival(of: now) }
    if News.isNews(now, known: known) || app?.coalesced.contains(record.transactionId) == true {
      news.transactions.append(record.transactionId)
    }
  }

  /// Oldest first (Apple says nothing of the order).
  private mutating func tell(
    _ news: News, cause: AccountUpdate.Cause?, isLive: Bool, _ effects: inout [ClientEffect]
  ) {
    guard var app else { return }
    // Taken out meanwhile, so that its lists change in place.
    self.app = nil
    defer { self.app = app }
    var transactions = news.transactions.sorted()
    // A purchase that the app waits for gives its transaction itself (Apple: Transaction.updates).
    if let cause, let call = app.purchases.first(where: { $0.value.request.uuid == cause.request })?.key {
      app.purchases[call]?.withheld += transactions
      transactions = []
    }
    // Until the launch replay everything shows in queries and, when it is unfinished, in the replay.
    guard app.hasReplayed else {
      // What happens while the app runs is told to it, even if another device finishes it before the replay.
      if isLive { app.newsBeforeReplay.formUnion(transactions) }
      return
    }
    // What is shown now in a newer state is not shown once more when a purchase gives up what it withholds.
    if !transactions.isEmpty, !app.purchases.isEmpty {
      for call in app.purchases.keys { app.purchases[call]?.withheld.removeAll { transactions.contains($0) } }
    }
    for id in transactions { show(id, &app, &effects) }
    let lineages = news.lineages.union(news.transactions.compactMap { store.history[$0]?.originalTransactionId })
    guard !app.statusIterators.isEmpty else { return }
    for lineage in lineages.sorted() {
      guard let status = status(lineage) else { continue }
      effects.append(.yield(app.statusIterators, .status(status)))
      if let end = expiredUntil[lineage], now < end {
        app.later.append(.init(at: end, content: .status(lineage: lineage)))
      }
    }
  }

  /// Gives a transaction to all iterators of the app.
  private mutating func show(_ id: TransactionID, _ app: inout AppSession, _ effects: inout [ClientEffect]) {
    guard let record = store.history[id] else { return }
    // Fast changes of one transaction are coalesced: the copy already is of a later state, whose event is on its way.
    if let copy = store.copy(.transaction(id)), copy.revision > record.recordRevision, !copy.jws.isEmpty {
      app.coalesced.insert(id)
      return
    }
    app.coalesced.remove(id)
    if !app.hasListener, habits.bufferedReplay, !app.kept.contains(id) { app.kept.append(id) }
    guard !app.iterators.isEmpty else { return }
    let element = signed(record)
    effects.append(.yield(app.iterators, .transaction(element)))
    app.note(element)
    repeatLater(id, &app)
  }

  /// Gives what a purchase held back, since it does not give it itself any more.
  mutating func release(_ purchase: AppSession.OpenPurchase, _ effects: inout [ClientEffect]) {
    guard var app, app.hasReplayed, !purchase.withheld.isEmpty else { return }
    self.app = nil
    defer { self.app = app }
    for id in purchase.withheld where store.history[id]?.isFinished == false { show(id, &app, &effects) }
  }

  // MARK: Launch replay

  /// Offers every unfinished transaction, and what happened since the launch, to the iterators that wait for it.
  mutating func replay(_ effects: inout [ClientEffect]) {
    guard var app else { return }
    self.app = nil
    defer { self.app = app }
    let isFirst = !app.hasReplayed
    app.hasReplayed = true
    if isFirst { reappearAtLaunch(&app) }
    let waiting = app.awaitingReplay
    app.awaitingReplay = []
    let refunds = store.state.refundsToReplay ?? []
    if !refunds.isEmpty { store.change { $0.refundsToReplay = nil } }
    app.newsBeforeReplay.formUnion(refunds)
    let keeps = isFirst && waiting.isEmpty && habits.bufferedReplay
    if !waiting.isEmpty || keeps {
      let withheld = Set(app.purchases.values.flatMap(\.withheld))
      let offered = inReplayOrder(
        store.history.records.filter {
          !$0.isFinished || app.newsBeforeReplay.contains($0.transactionId)
            || app.reappeared.contains($0.transactionId)
        })
      for record in offered
      where !app.purchased.contains(record.transactionId) && !withheld.contains(record.transactionId) {
        if keeps {
          app.kept.append(record.transactionId)
          continue
        }
        let element = signed(record)
        effects.append(.yield(waiting, .transaction(element)))
        if !app.seen.contains(where: {
          $0.transactionId == record.transactionId && $0.recordRevision == record.recordRevision
        }) {
          app.note(element)
          repeatLater(record.transactionId, &app)
        }
      }
    }
  }
}

/// What of a change an app should hear of.
private struct News {
  var transactions: [TransactionID] = []
  var lineages: Set<TransactionID> = []

  /// New and to be delivered, or revoked (or given back) since it was seen. Finish marks and other changes of a known
  /// transaction are none.
  static func isNews(_ record: TransactionRecord, known: TransactionRecord?) -> Bool {
    guard let known else { return !record.isFinished }
    return known.revocation != record.revocation
  }
}
