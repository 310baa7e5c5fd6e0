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
      guard var purchase = purchases[call], let result = purchase.result, result.at <= applied else { continue }
      guard let record = store.history[result.id] else {
        purchaseEnded(
          call, .failure(.internalError("the store sold \(result.id), but this device's store lacks it")), &effects)
        continue
      }
      app?.purchases[call] = nil
      app?.purchased.insert(result.id)
      answer(call, .success(.purchase(.success(store.signed(record)))), &effects)
      // An upgrade changes other transactions too, and those are news.
      purchase.withheld.removeAll { $0 == result.id }
      release(purchase, &effects)
    }
  }

  // MARK: Queries

  mutating func answerQueries(offlineAt now: StoreTime?, _ effects: inout [ClientEffect]) {
    guard let waiting = app?.waitingQueries, !waiting.isEmpty else { return }
    app?.waitingQueries = []
    app?.isPatient = false
    for (id, call) in waiting {
      switch call {
      case .transactions(let query):
        answer(id, .success(.transactions(transactions(query, offlineAt: now))), &effects)
      case .statuses(let group): answer(id, .success(.statuses(statuses(group))), &effects)
      case .storefront: answer(id, .success(.storefront(app?.storefront ?? "")), &effects)
      default: answer(id, .success(.done), &effects)
      }
    }
  }

  func transactions(_ query: TransactionQuery, offlineAt now: StoreTime?) -> [SignedTransaction] {
    let records =
      switch query {
      case .all: store.history.all()
      case .currentEntitlements: store.history.currentEntitlements(offlineAt: now)
      case .unfinished: store.history.unfinished
      case .latest(let productId): store.history.latest(for: productId).map { [$0] } ?? []
      }
    return records.map { store.signed($0) }
  }

  func statuses(_ group: String?) -> [SignedStatus] {
    store.history.renewalInfos.values
      .filter { group == nil || $0.subscriptionGroupIdentifier == group }
      .sorted { $0.originalTransactionId < $1.originalTransactionId }
      .compactMap { store.status($0.originalTransactionId) }
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
    return !hasUsedIt && !runs
  }

  // MARK: Finish

  /// - Returns: whether there was something to finish; else the call has been answered.
  mutating func finish(_ id: TransactionID, call: CallID, _ effects: inout [ClientEffect]) -> Bool {
    if holdsFinish {
      app?.heldFinishes.append((call, id))
      return false
    }
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
