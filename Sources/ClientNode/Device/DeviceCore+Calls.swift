import Foundation
import Shared
import Wire

extension DeviceCore {
  /// Answers a call, once; a call of an app that is gone was answered then.
  mutating func answer(
    _ call: CallID, _ result: Result<DaemonAnswer, DaemonError>, _ effects: inout [ClientEffect]
  ) {
    guard app?.openCalls.remove(call) != nil else { return }
    effects.append(.answer(call, result))
  }

  // MARK: Purchases

  /// The store has bought it: the answer waits until the local store has it too.
  mutating func purchaseDone(_ call: CallID, _ id: TransactionID, at position: StreamPosition) {
    app?.purchases[call]?.result = (id, position)
  }

  /// The purchase gives no transaction; what it may have caused comes as any other's.
  mutating func purchaseEnded(
    _ call: CallID, _ result: Result<DaemonAnswer, DaemonError>, _ effects: inout [ClientEffect]
  ) {
    guard let purchase = app?.purchases.removeValue(forKey: call) else { return }
    answer(call, result, &effects)
    release(purchase, &effects)
  }

  /// Answers purchases whose transaction the local store has by now.
  mutating func completePurchases(_ effects: inout [ClientEffect]) {
    guard let purchases = app?.purchases, !purchases.isEmpty else { return }
    for call in purchases.keys.sorted() {
      guard var purchase = purchases[call], let result = purchase.result, result.at <= applied,
        passes(call, purchase, &effects)
      else { continue }
      guard let record = store.history[result.id] else {
        purchaseEnded(
          call, .failure(.internalError("the store sold \(result.id), but this device's store lacks it")), &effects)
        continue
      }
      app?.purchases[call] = nil
      app?.purchased.insert(result.id)
      answer(call, .success(.purchase(.success(signed(record)))), &effects)
      if purchase.withheld.contains(result.id) { announceOwnPurchase(record) }
      // An upgrade changes other transactions too, and those are news.
      purchase.withheld.removeAll { $0 == result.id }
      release(purchase, &effects)
    }
  }

  /// Whether the store's word on a purchase goes on to the app.
  private mutating func passes(
    _ call: CallID, _ purchase: AppSession.OpenPurchase, _ effects: inout [ClientEffect]
  ) -> Bool {
    switch purchase.gate {
    case .passed: return true
    case .waiting: return false
    case .before: break
    }
    switch gates.admit(.purchaseResult) {
    case .pass: return true
    case .wait:
      app?.purchases[call]?.gate = .waiting
      app?.waiting.append(.init(gate: .purchaseResult, id: call, call: .purchase(purchase.order)))
    case .cancel: purchaseEnded(call, .success(.purchase(.userCancelled)), &effects)
    }
    return false
  }

  // MARK: Queries

  /// - Parameters:
  ///   - now: the store's time when there is no contact with it.
  ///   - time: the store's time in any case, as far as it is known.
  mutating func answerQueries(offlineAt now: StoreTime?, at time: StoreTime, _ effects: inout [ClientEffect]) {
    guard let waiting = app?.waitingQueries, !waiting.isEmpty else { return }
    app?.waitingQueries = []
    app?.isPatient = false
    for (id, call) in waiting {
      switch call {
      case .transactions(let query):
        answer(id, .success(.transactions(transactions(query, offlineAt: now, at: time))), &effects)
      case .load where coldStartEnds != nil: app?.waitingQueries.append((id, call))
      case .load:
        let hasLoaded = app?.hadContact == true || !store.isEmpty
        answer(id, hasLoaded ? .success(.done) : .failure(.network), &effects)
      case .statuses(let group): answer(id, .success(.statuses(statuses(group))), &effects)
      case .storefront: answer(id, .success(.storefront(app?.storefront ?? "")), &effects)
      default: answer(id, .success(.done), &effects)
      }
    }
  }

  /// A record with its signed copy, as the app gets it.
  mutating func signed(_ record: TransactionRecord) -> SignedTransaction {
    var signed = store.signed(record)
    if case .verification(let failure) = errors.take(.verification) { signed.failure = failure }
    return signed
  }

  /// A lineage's status; nil for a lineage that is no subscription here.
  mutating func status(_ lineage: TransactionID) -> SignedStatus? {
    guard var status = store.status(lineage) else { return nil }
    if readsExpired(lineage), status.info.status == .subscribed { status.info.status = .expired }
    if case .verification(let failure) = errors.take(.verification) {
      status.infoFailure = failure
      status.transaction.failure = failure
    }
    return status
  }

  mutating func transactions(
    _ query: TransactionQuery, offlineAt now: StoreTime?, at time: StoreTime
  ) -> [SignedTransaction] {
    let records =
      switch query {
      case .all: store.history.all()
      case .currentEntitlements: currentEntitlements(offlineAt: now, at: time)
      case .unfinished: unfinished
      case .latest(let productId): store.history.latest(for: productId).map { [$0] } ?? []
      case .one(let id): store.history[id].map { [$0] } ?? []
      }
    return records.map { signed($0) }
  }

  mutating func statuses(_ group: String?) -> [SignedStatus] {
    let infos = store.history.renewalInfos.values
      .filter { group == nil || $0.subscriptionGroupIdentifier == group }
      .sorted { $0.originalTransactionId < $1.originalTransactionId }
    return infos.compactMap { status($0.originalTransactionId) }
  }

  /// What the device itself can say, by the store's rule: an introductory offer is used once in a group, and is for
  /// who has no subscription there that runs or that the store still tries to renew (Apple:
  /// Product.SubscriptionInfo.isEligibleForIntroOffer(for:)).
  func isEligibleForIntroOffer(group: String) -> Bool {
    let hasUsedIt = store.history.records.contains {
      $0.subscriptionGroupIdentifier == group && $0.offer?.type == AppliedOffer.introductory
        && $0.inAppOwnershipType == .purchased
    }
    let runs = store.history.renewalInfos.values.contains {
      $0.subscriptionGroupIdentifier == group && $0.inAppOwnershipType == .purchased
        && ($0.status == .subscribed || $0.isInBillingRetry)
    }
    return !hasUsedIt && (!runs || habits.subscribersEligibleForIntro)
  }

  // MARK: Finish

  /// - Returns: whether there was something to finish; else the call has been answered.
  mutating func finish(_ id: TransactionID, call: CallID, _ effects: inout [ClientEffect]) -> Bool {
    app?.reappeared.remove(id)
    guard store.finish(id) else {
      answer(call, .success(.done), &effects)
      return false
    }
    store.change { $0.pendingFinishes.insert(id) }
    app?.finishing[call] = id
    return true
  }

  mutating func answerFinishes(
    where isSafe: (TransactionID) -> Bool = { _ in true }, _ effects: inout [ClientEffect]
  ) {
    guard let finishing = app?.finishing else { return }
    for (call, id) in finishing.sorted(by: { $0.key < $1.key }) where isSafe(id) {
      app?.finishing[call] = nil
      answer(call, .success(.done), &effects)
    }
  }

  // MARK: Claims

  /// One transaction of each lineage that the signed-in user has not been bound to, as far as this device knows.
  func claims() -> [(key: ClaimKey, jws: String)] {
    guard app != nil, isOnline, let user = store.state.user else { return [] }
    var newest: [TransactionID: TransactionRecord] = [:]
    for record in store.history.records where record.revocation == nil {
      // A consumable that was delivered is nothing that one could still use.
      if record.type == .consumable, record.isFinished { continue }
      newest[record.originalTransactionId] = record
    }
    return newest.sorted { $0.key < $1.key }.compactMap { lineage, record in
      let key = ClaimKey(lineage: lineage, user: user)
      guard record.appAccountToken != user, !claimed.contains(key),
        let copy = store.copy(.transaction(record.transactionId)), copy.failure == nil
      else { return nil }
      return (key, copy.jws)
    }
  }
}
