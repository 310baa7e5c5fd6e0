import Shared
import Wire

/// What only tests do to an account (Apple: SKTestSession).
extension AccountState {
  /// Apple: expireSubscription(productIdentifier:). Auto-renew is off and the period ends now.
  func decideExpiry(_ request: ExpireSubscription, in context: StoreContext) throws(WireError) -> AccountDecision {
    let info = try running(request.productId, in: context)
    let cut = cutShort(info, in: context)
    let next = cut.renewalInfos.first ?? info
    return AccountDecision([cut, lapse(next, intent: ExpirationIntent.cancelled)])
  }

  /// Apple: forceRenewalOfSubscription(productIdentifier:). Auto-renew is on, a price increase that waits is forgotten,
  /// and the period ends now. Billing retry is left alone.
  func decideForcedRenewal(
    _ request: RenewSubscription, in context: StoreContext
  ) throws(WireError) -> AccountDecision {
    let info = try running(request.productId, in: context)
    let lineage = info.originalTransactionId
    var state = self
    switch info.status {
    case .subscribed:
      var cut = cutShort(info, in: context)
      if let increase = cycles[lineage]?.priceIncrease, increase.answer != .agreed {
        var cycle = cycles[lineage]
        cycle?.priceIncrease = nil
        cut.cycles = cycle.map { [lineage: $0] } ?? [:]
        cut.renewalInfos = cut.renewalInfos.map { info in
          var info = info
          info.priceIncreaseStatus = nil
          return info
        }
      }
      cut.renewalInfos = cut.renewalInfos.map { info in
        var info = info
        info.willAutoRenew = true
        return info
      }
      state.evolve(cut)
      return AccountDecision([cut] + state.decideRenewal(of: lineage, in: context).events)
    case .inGracePeriod:
      let next = info.revised {
        $0.status = .inBillingRetryPeriod
        $0.gracePeriodExpiresDate = nil
      }
      return AccountDecision([AccountEvent(.gracePeriodExpired, renewalInfos: [next])])
    default: return AccountDecision()
    }
  }

  /// The account's own subscription to a plan that runs, or that the store still tries to charge for.
  private func running(_ productId: String, in context: StoreContext) throws(WireError) -> RenewalInfo {
    guard let group = context.world.catalog.product(productId)?.subscription?.groupID else {
      throw .refused(.notASubscription, "'\(productId)' is no auto-renewable subscription of the catalogue")
    }
    guard let info = ownSubscription(inGroup: group), info.isActive || info.isInBillingRetry,
      info.productId == productId
    else {
      throw .refused(.wrongState, "the account has no subscription of its own that runs as '\(productId)'")
    }
    return info
  }

  /// The running period ends now instead of later.
  private func cutShort(_ info: RenewalInfo, in context: StoreContext) -> AccountEvent {
    let last = history[info.latestTransactionId]
    let records = last.map { last in
      last.expiresDate.map { $0 > context.now } == true ? [last.revised { $0.expiresDate = context.now }] : []
    }
    let next = info.revised { $0.renewalDate = min($0.renewalDate, context.now) }
    return AccountEvent(.cutShort, records: records ?? [], renewalInfos: [next])
  }

  // MARK: The past

  /// More renewals than this are a mistake: a few months of two-second periods would fill the memory.
  private static let mostBackdatedRenewals = 10_000

  /// Apple: purchaseDate(_:renewalBehavior:). The purchase and every renewal since, as they would have come.
  func decideBackdated(_ request: BackdatePurchase, in context: StoreContext) throws(WireError) -> AccountDecision {
    guard request.purchaseDate <= context.now, request.purchaseDate.milliseconds >= 0 else {
      throw WireError(
        .badBody, "a purchase of the past is between 1970 and now (\(context.now)), not at \(request.purchaseDate)")
    }
    var past = context
    past.now = request.purchaseDate
    var decision = try decide(.purchase(request.purchase), in: past)
    guard case .purchased(let id) = decision.outcome else { return decision }
    var state = self
    decision.events.forEach { state.evolve($0) }
    guard let lineage = state.history[id]?.originalTransactionId, state.history.renewalInfos[lineage] != nil else {
      return decision
    }
    func go(_ events: [AccountEvent]) {
      decision.events += events
      events.forEach { state.evolve($0) }
    }
    if request.renewal == .cancelImmediately {
      go(try state.decideAutoRenew(SetAutoRenew(productId: request.purchase.productId, on: false), in: past).events)
    }
    let timers: [AccountTimer] = [.renewal(lineage), .graceEnd(lineage), .retryEnd(lineage)]
    for count in 0... {
      let due = timers.compactMap { timer in state.timers[timer.name].map { (timer: timer, at: $0) } }
        .min { $0.at < $1.at }
      guard let due, due.at <= context.now else { break }
      guard count < AccountState.mostBackdatedRenewals else {
        throw WireError(
          .badBody,
          "from \(request.purchaseDate) to now there are more than \(AccountState.mostBackdatedRenewals) renewals: "
            + "choose a later date or a slower time rate")
      }
      past.now = due.at
      let events = try state.decide(.timer(due.timer), in: past).events
      guard !events.isEmpty else { break }
      go(events)
    }
    return decision
  }

  // MARK: Deletion

  /// Apple: deleteTransaction(identifier:).
  func decideDeletion(_ request: DeleteTransaction) throws(WireError) -> AccountDecision {
    guard let record = history[request.transactionId] else {
      throw .refused(.unknownTransaction, "the account has no transaction \(request.transactionId)")
    }
    guard record.inAppOwnershipType == .purchased else {
      throw .refused(
        .notYours, "transaction \(request.transactionId) is shared by the family: delete its purchaser's")
    }
    return AccountDecision([AccountEvent(.deleted, detail: .deletion(lineage: record.originalTransactionId))])
  }
}
