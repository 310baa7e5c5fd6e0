import Foundation
import Shared
import Wire

extension ClientNodeCore {
  /// How long an app waits for the catalogue.
  static let productsMilliseconds: Int64 = 10_000
  /// How long an app waits for a purchase or a sync.
  static let storeMilliseconds: Int64 = 30_000
  /// How long a query waits for the store when the phone already has something to show.
  static let patienceMilliseconds: Int64 = 1_000
  /// How long `finish()` waits for the store's word once the mark is safe on the phone.
  static let finishMilliseconds: Int64 = 2_000

  /// - Returns: whether the launch still runs; else what it asks for is refused, with one line in the log.
  private mutating func isAlive(_ app: AppID) -> Bool {
    if isRunning(app) { return true }
    devices[app.device]?.logDead(app, &effects)
    return false
  }

  mutating func take(_ call: DaemonCall, _ id: CallID, from app: AppID, isCancelled: Bool) {
    let name = app.device
    guard isAlive(app) else {
      effects.append(.answer(id, .failure(.appNotRunning)))
      return
    }
    devices[name]?.app?.openCalls.insert(id)
    devices[name]?.now = now
    touch(name)
    if case .purchase = call, devices[name]?.purchasesAllowed == false {
      let message = "purchases are switched off on \(name)"
      devices[name]?.answer(id, .failure(.refused(.purchaseNotAllowed, message)), &effects)
      return
    }
    if let gate = call.gate {
      switch devices[name]?.gates.admit(gate) {
      case .wait:
        devices[name]?.app?.waiting.append(.init(gate: gate, id: id, call: call))
        return
      case .cancel:
        cancel(call, id, name)
        return
      case .pass, nil: break
      }
    }
    pass(call, id, from: app, isCancelled: isCancelled)
  }

  /// The customer has put away what the call shows.
  private mutating func cancel(_ call: DaemonCall, _ id: CallID, _ name: String) {
    if case .purchase = call {
      devices[name]?.answer(id, .success(.purchase(.userCancelled)), &effects)
    } else {
      devices[name]?.answer(id, .failure(.simulated(.userCancelled)), &effects)
    }
  }

  /// Lets calls go on that wait at a gate, as many as it lets through.
  mutating func release(_ name: String, _ order: HoldGate) {
    guard let app = devices[name]?.app else { return }
    for waiting in app.waiting where waiting.gate == order.gate {
      let isOpen = devices[name]?.gates.held.contains(order.gate) == false
      let admission: Gates.Admission? =
        isOpen && order.cancel == true ? .cancel : devices[name]?.gates.admit(order.gate)
      guard let admission, admission != .wait else { return }
      devices[name]?.app?.waiting.removeAll { $0.id == waiting.id && $0.gate == waiting.gate }
      switch (waiting.gate, admission) {
      case (.purchaseResult, .cancel):
        devices[name]?.purchaseEnded(waiting.id, .success(.purchase(.userCancelled)), &effects)
      case (.purchaseResult, _): devices[name]?.app?.purchases[waiting.id]?.gate = .passed
      case (_, .cancel): cancel(waiting.call, waiting.id, name)
      default: pass(waiting.call, waiting.id, from: app.id)
      }
    }
  }

  private mutating func pass(_ call: DaemonCall, _ id: CallID, from app: AppID, isCancelled: Bool = false) {
    let name = app.device
    if let api = call.api, let failure = devices[name]?.errors.take(api) {
      devices[name]?.answer(id, .failure(.simulated(failure)), &effects)
      return
    }
    if let answer = answerWithoutLooking(call, on: name, isCancelled: isCancelled) {
      devices[name]?.answer(id, .success(answer), &effects)
      return
    }
    // Not the whole device: a second holder would make every change of its records copy them all.
    guard let isOnline = devices[name]?.isOnline, let account = devices[name]?.account else { return }
    switch call {
    case .transactions, .statuses, .load, .storefront: devices[name]?.app?.waitingQueries.append((id, call))
    case .finish(let transaction): finish(transaction, id, app)
    case .introEligibility(let group):
      // The store's rule is not this habit's.
      guard isOnline, link.contact != .lost, !habits.subscribersEligibleForIntro else {
        answerEligibilityLocally(app, id, group)
        return
      }
      // A phone that knows its account need not wait longer than other queries do.
      let knows = devices[name]?.store.isEmpty == false
      ask(
        GetIntroEligibility(groups: [group]), of: address(.account, account),
        for: .introEligibility(app, id, group: group),
        giveUpMilliseconds: knows ? ClientNodeCore.patienceMilliseconds : ClientNodeCore.productsMilliseconds)
    case .appTransaction(let refresh): appTransaction(id, app, account, refresh: refresh)
    case .show(let sheet): show(sheet, id, app)
    case .products, .purchase, .requestRefund, .sync:
      guard isOnline else {
        devices[name]?.answer(id, .failure(.network), &effects)
        return
      }
      askStore(call, id, app, account)
    }
  }

  private mutating func askStore(_ call: DaemonCall, _ id: CallID, _ app: AppID, _ account: String) {
    switch call {
    case .products(let ids):
      ask(
        GetProducts(ids: ids), of: address(.world, configuration.world), for: .products(app, id),
        giveUpMilliseconds: ClientNodeCore.productsMilliseconds)
    case .purchase(let order):
      let purchase = Purchase(
        productId: order.productId, quantity: order.quantity, appAccountToken: order.appAccountToken,
        device: app.device, simulatesAskToBuy: order.simulatesAskToBuy, intendedAt: order.intendedAt,
        offer: order.offer, isInterrupted: devices[app.device]?.interruptsPurchases == true ? true : nil)
      let request = ask(
        purchase, of: address(.account, account), for: .purchase(app, id),
        giveUpMilliseconds: ClientNodeCore.storeMilliseconds)
      devices[app.device]?.app?.purchases[id] = AppSession.OpenPurchase(request: request, order: order)
      timers.set(.call(app, id), at: now.advanced(byMilliseconds: ClientNodeCore.storeMilliseconds))
    case .requestRefund(let transaction):
      ask(
        RequestRefund(transactionId: transaction), of: address(.account, account), for: .refundRequest(app, id),
        giveUpMilliseconds: ClientNodeCore.storeMilliseconds)
    case .sync:
      devices[app.device]?.app?.syncs.insert(id)
      ask(
        CatchUp(epoch: 0, after: 0), of: address(.account, account), for: .sync(app, id),
        giveUpMilliseconds: ClientNodeCore.storeMilliseconds)
      timers.set(.call(app, id), at: now.advanced(byMilliseconds: ClientNodeCore.storeMilliseconds))
    default: break
    }
  }

  /// The app has waited long enough.
  mutating func callDue(_ call: CallID, of app: AppID) {
    guard let session = devices[app.device]?.app, session.id == app else { return }
    touch(app.device)
    if session.finishing[call] != nil {
      devices[app.device]?.app?.finishing[call] = nil
      devices[app.device]?.answer(call, .success(.done), &effects)
    } else if let purchase = session.purchases[call] {
      // What waits at a gate has been answered.
      if purchase.gate == .waiting { return }
      devices[app.device]?.purchaseEnded(call, .failure(.network), &effects)
    } else if devices[app.device]?.app?.syncs.remove(call) != nil {
      devices[app.device]?.answer(call, .failure(.network), &effects)
    }
  }

  // MARK: Answers of the store

  mutating func productsCame(_ app: AppID, _ call: CallID, _ result: Result<GetProducts.Reply, WireError>) {
    guard isRunning(app) else { return }
    let answer = result.map { DaemonAnswer.products($0) }.mapError { DaemonError($0) }
    devices[app.device]?.answer(call, answer, &effects)
  }

  mutating func purchaseAnswered(_ app: AppID, _ call: CallID, _ result: Result<Purchase.Reply, WireError>) {
    guard isRunning(app), let account = devices[app.device]?.account else { return }
    touch(app.device)
    switch result {
    case .success(let reply):
      switch reply.outcome {
      case .purchased(let id), .existing(let id):
        devices[app.device]?.purchaseDone(call, id, at: reply.position.position)
      case .pending: devices[app.device]?.purchaseEnded(call, .success(.purchase(.pending)), &effects)
      }
      accounts[account]?.heard(reply.position.position)
      devices[app.device]?.heard(reply.position.position)
      // The event is on its way as a rule; it is asked for when it does not come.
      catchUpIfNeeded(account, within: 100...200)
    case .failure(let error):
      devices[app.device]?.purchaseEnded(call, .failure(DaemonError(error)), &effects)
    }
  }

  mutating func synced(_ app: AppID, _ call: CallID, _ result: Result<CatchUp.Reply, WireError>) {
    guard isRunning(app), let account = devices[app.device]?.account else { return }
    touch(app.device)
    switch result {
    case .success(let reply):
      let position = reply.position.position
      accounts[account]?.heard(position)
      let (history, storefront) =
        switch reply.content {
        case .snapshot(let history): (history, reply.storefront)
        case .events(let updates): (TransactionHistory(folding: updates), updates.lastStorefront)
        }
      devices[app.device]?.receive(history, storefront: storefront, at: position, call: call)
      if devices[app.device]?.isWaiting(for: call) == false {
        devices[app.device]?.app?.syncs.remove(call)
        devices[app.device]?.answer(call, .success(.done), &effects)
      }
    case .failure(let error):
      devices[app.device]?.app?.syncs.remove(call)
      devices[app.device]?.answer(call, .failure(DaemonError(error)), &effects)
    }
  }

  mutating func eligibilityCame(
    _ app: AppID, _ call: CallID, _ group: String, _ result: Result<GetIntroEligibility.Reply, WireError>
  ) {
    guard isRunning(app) else { return }
    if case .success(let reply) = result, let isEligible = reply.eligible[group] {
      devices[app.device]?.answer(call, .success(.isEligible(isEligible)), &effects)
    } else {
      answerEligibilityLocally(app, call, group)
    }
  }

  private mutating func answerEligibilityLocally(_ app: AppID, _ call: CallID, _ group: String) {
    let isEligible = devices[app.device]?.isEligibleForIntroOffer(group: group) ?? false
    devices[app.device]?.answer(call, .success(.isEligible(isEligible)), &effects)
  }

  // MARK: Queries

  mutating func settleQueries(_ name: String, isReady: Bool) {
    guard let device = devices[name], let app = device.app, !app.waitingQueries.isEmpty else { return }
    let hasWaited = app.isPatient && !timers.contains(.patience(app.id))
    if isReady || hasWaited {
      timers.clear(.patience(app.id))
      let time = worldTime
      devices[name]?.answerQueries(offlineAt: device.isSynced ? nil : time, at: time, &effects)
    } else if !device.store.isEmpty, !app.isPatient {
      devices[name]?.app?.isPatient = true
      timers.set(.patience(app.id), at: now.advanced(byMilliseconds: ClientNodeCore.patienceMilliseconds))
    }
  }

  // MARK: Finish

  mutating func finish(_ transaction: TransactionID, _ call: CallID, _ app: AppID) {
    // Answered once the mark would survive a kill.
    if devices[app.device]?.finish(transaction, call: call, &effects) == true { after(.tellFinish(app, call)) }
  }

  /// The mark is safe here; now the store is told.
  mutating func tellFinish(_ app: AppID, _ call: CallID) {
    guard let device = devices[app.device] else { return }
    if device.isOnline {
      tellFinishes(app.device)
      if device.app?.id == app, device.app?.finishing[call] != nil {
        timers.set(.call(app, call), at: now.advanced(byMilliseconds: ClientNodeCore.finishMilliseconds))
      }
    } else {
      devices[app.device]?.answerFinishes(&effects)
    }
  }

  /// Tells the store of all marks that it does not know of, one request at a time for each device.
  mutating func tellFinishes(_ name: String) {
    guard let device = devices[name], device.isOnline, !device.store.state.pendingFinishes.isEmpty,
      finishInFlight.insert(name).inserted
    else { return }
    let ids = device.store.state.pendingFinishes.sorted()
    ask(
      Finish(transactionIds: ids, device: name), of: address(.account, device.account),
      for: .finish(device: name, ids))
  }

  mutating func finishTold(_ name: String, _ ids: [TransactionID], _ result: Result<AccountPosition, WireError>) {
    finishInFlight.remove(name)
    touch(name)
    let told = Set(ids)
    switch result {
    case .success(let position):
      devices[name]?.heard(position.position)
      devices[name]?.store.change { $0.pendingFinishes.subtract(told) }
      if let account = devices[name]?.account {
        accounts[account]?.heard(position.position)
        catchUpIfNeeded(account, within: 100...200)
      }
      tellFinishes(name)
    case .failure(let error):
      // Told again when the device comes online or the server starts anew.
      effects.append(.log("device \(name): the store did not take a finish, it stays marked here: \(error.message)"))
    }
    devices[name]?.answerFinishes(where: { told.contains($0) }, &effects)
  }

  // MARK: Claims

  mutating func claim(_ name: String) {
    guard let device = devices[name], device.mayHaveClaims, device.app != nil, device.isOnline else { return }
    devices[name]?.mayHaveClaims = false
    for (key, jws) in device.claims() {
      devices[name]?.claimed.insert(key)
      ask(
        Claim(appAccountToken: key.user, device: name), of: address(.account, device.account),
        for: .claim(device: name, key), attachments: [Data(jws.utf8)])
    }
  }

  mutating func claimAnswered(
    _ name: String, _ key: DeviceCore.ClaimKey, _ result: Result<AccountPosition, WireError>
  ) {
    switch result {
    case .success(let position):
      guard let account = devices[name]?.account else { return }
      accounts[account]?.heard(position.position)
      catchUpIfNeeded(account, within: 100...200)
    case .failure(let error):
      effects.append(.log("device \(name): \(key.lineage) was not claimed for \(key.user): \(error.message)"))
    }
  }

  // MARK: Offline

  /// What the phone's apps and its daemon had asked of the store fails at once.
  mutating func cutOff(_ name: String) {
    let calls = (devices[name]?.app?.syncs ?? []).sorted()
    devices[name]?.app?.syncs = []
    for call in calls { devices[name]?.answer(call, .failure(.network), &effects) }
    for purpose in drop(where: { $0.device == name }) {
      switch purpose {
      case .introEligibility(let app, let call, let group): answerEligibilityLocally(app, call, group)
      case .products(_, let call), .appTransaction(_, let call), .refundRequest(_, let call):
        devices[name]?.answer(call, .failure(.network), &effects)
      case .claim(_, let key): devices[name]?.claimed.remove(key)
      default: break
      }
    }
    finishInFlight.remove(name)
    loseParcels(of: name)
    let unanswered = devices[name]?.app?.purchases.filter { $0.value.gate != .waiting } ?? [:]
    for call in unanswered.keys.sorted() {
      devices[name]?.purchaseEnded(call, .failure(.network), &effects)
    }
    // Only marks that are safe by now: the others are answered when their write is done.
    let finishing = devices[name]?.app?.finishing ?? [:]
    let unsafe = Set(finishing.filter { !timers.contains(callKey(name, $0.key)) }.values)
    devices[name]?.answerFinishes(where: { !unsafe.contains($0) }, &effects)
  }

  private func callKey(_ name: String, _ call: CallID) -> TimerKey {
    .call(AppID(device: name, incarnation: devices[name]?.app?.id.incarnation ?? 0), call)
  }

  // MARK: Iterators

  mutating func openIterator(_ id: IteratorID, _ app: AppID, _ kind: IteratorKind) {
    guard isAlive(app) else {
      effects.append(.end([id]))
      return
    }
    devices[app.device]?.openIterator(id, kind, at: now, &effects)
    touch(app.device)
  }

  mutating func closeIterator(_ id: IteratorID, _ app: AppID, unread: [TransactionID]) {
    if isRunning(app) { devices[app.device]?.closeIterator(id, unread: unread) }
  }
}

extension DaemonError {
  init(_ error: WireError) {
    if let refusal = error.refusal {
      self = .refused(refusal, error.message)
    } else {
      self = error.isRetriable ? .network : .internalError(error.message)
    }
  }
}
