import Shared
import Wire

extension AccountState {
  /// A period ends: the next one begins, billing fails, or the subscription lapses.
  func decideRenewal(of lineage: TransactionID, in context: StoreContext) -> AccountDecision {
    guard let info = history.renewalInfos[lineage], info.status == .subscribed, info.renewalDate <= context.now,
      let last = history[info.latestTransactionId]
    else { return AccountDecision() }
    if let increase = comingIncrease(of: info.autoRenewProductId, info), increase.answer != .agreed,
      info.willAutoRenew || increase.answer == .declined
    {
      return AccountDecision([lapse(info, intent: ExpirationIntent.noConsent)])
    }
    guard info.willAutoRenew else { return AccountDecision([lapse(info, intent: ExpirationIntent.cancelled)]) }
    guard let product = context.world.catalog.product(info.autoRenewProductId), let terms = product.subscription else {
      return AccountDecision([lapse(info, intent: ExpirationIntent.productUnavailable)])
    }
    // After the last renewal of an accelerated rate, the App Store has switched auto-renew off: as if cancelled.
    if let most = context.world.mostRenewals, cycles[lineage]?.renewals ?? 0 >= most {
      return AccountDecision([lapse(info, intent: ExpirationIntent.cancelled)])
    }
    if billing.fails(for: product.id) {
      return AccountDecision([failBilling(info, last, product, terms, in: context)])
    }
    return AccountDecision([renew(info, last, as: product, terms, from: info.renewalDate, .renewed, in: context)])
  }

  /// The next period, with a transaction of its own.
  /// - Parameter offset: how many transactions the same decision makes before this one.
  func renew(
    _ info: RenewalInfo, _ last: TransactionRecord, as product: CatalogProduct, _ terms: SubscriptionTerms,
    from start: StoreTime, _ kind: AccountEvent.Kind, offset: UInt64 = 0, in context: StoreContext
  ) -> AccountEvent {
    let lineage = info.originalTransactionId
    var cycle = cycles[lineage] ?? RenewalCycle(anchor: start, periods: 0, period: terms.period)
    let hasOffer = cycle.offerPeriodsLeft > 0 && product.id == info.productId
    let (price, offer) = nextPeriod(as: product, after: info.productId, cycle)
    let rate = context.world.timeRate
    let expires: StoreTime
    if !hasOffer, let coming = cycle.coming, coming.productId == product.id {
      cycle.coming = nil
      expires = cycle.begin(coming.offer, at: start, planPeriod: terms.period, rate: rate)
    } else {
      cycle.offerPeriodsLeft = hasOffer ? cycle.offerPeriodsLeft - 1 : 0
      // An offer paid as one goes may end here; where its periods were as long, the day of the month stays.
      cycle.beginPeriod(of: hasOffer ? cycle.period : terms.period, at: start, rate: rate)
      expires = rate.end(of: cycle.period, times: cycle.periods, from: cycle.anchor)
      if cycle.offerPeriodsLeft == 0 {
        cycle.offer = nil
        cycle.offerPrice = 0
      }
      // A renewal as another plan gives it up.
      if cycle.coming?.productId != product.id { cycle.coming = nil }
    }
    cycle.renewals += 1
    cycle.retryEnds = nil
    if cycle.priceIncrease?.productId != product.id { cycle.priceIncrease = nil }
    let id = transactionId(offset)
    var record = last
    record.transactionId = id
    record.recordRevision = 1
    record.productId = product.id
    record.webOrderLineItemId = String(id.rawValue + 1_000_000_000_000_000)
    record.purchaseDate = start
    record.expiresDate = expires
    record.transactionReason = .renewal
    record.offer = offer
    record.price = price
    record.isUpgraded = false
    record.isFinished = false
    record.appAccountToken = info.appAccountToken
    let next = info.revised {
      $0.latestTransactionId = id
      $0.productId = product.id
      $0.status = .subscribed
      $0.expirationIntent = nil
      $0.gracePeriodExpiresDate = nil
      // A price that has gone up is no coming increase any more.
      if offer == nil { $0.priceIncreaseStatus = nil }
      $0.renewalDate = record.expiresDate ?? start
      ($0.renewalPrice, $0.nextOffer) = nextPeriod(as: product, after: product.id, cycle)
      $0.recentSubscriptionStartDate = seriesStart(of: info, goingOnAt: start, in: context)
    }
    return AccountEvent(kind, records: [record], renewalInfos: [next], cycles: [lineage: cycle])
  }

  func lapse(_ info: RenewalInfo, intent: Int) -> AccountEvent {
    let ended = info.revised {
      $0.status = .expired
      $0.willAutoRenew = false
      $0.expirationIntent = intent
      $0.gracePeriodExpiresDate = nil
      $0.priceIncreaseStatus = nil
    }
    return AccountEvent(.expired, renewalInfos: [ended])
  }

  // MARK: Auto-renew

  func decideAutoRenew(_ change: SetAutoRenew, in context: StoreContext) throws(WireError) -> AccountDecision {
    guard let group = context.world.catalog.product(change.productId)?.subscription?.groupID else {
      throw .refused(.notASubscription, "'\(change.productId)' is no auto-renewable subscription of the catalogue")
    }
    guard let info = ownSubscription(inGroup: group), info.isActive || info.isInBillingRetry else {
      throw .refused(.wrongState, "the account has no active subscription of its own in group '\(group)'")
    }
    guard info.willAutoRenew != change.on else { return AccountDecision() }
    guard change.on else { return AccountDecision(switchOffAutoRenew(of: info)) }
    var cycle = cycles[info.originalTransactionId]
    // Who declined a price and renews after all is asked again.
    if cycle?.priceIncrease?.answer == .declined { cycle?.priceIncrease?.answer = .pending }
    let next = info.revised {
      $0.willAutoRenew = true
      // Apple: switching it on again renews the plan that runs.
      if let product = context.world.catalog.product($0.productId) { prefer(product, in: &$0, cycle) }
    }
    let changed = cycle.flatMap { $0 == cycles[info.originalTransactionId] ? nil : [info.originalTransactionId: $0] }
    return AccountDecision([AccountEvent(.autoRenewChanged, renewalInfos: [next], cycles: changed ?? [:])])
  }

  /// Apple: a subscription that the store still tries to charge for ends at once.
  func switchOffAutoRenew(of info: RenewalInfo) -> [AccountEvent] {
    let next = info.revised { $0.willAutoRenew = false }
    let change = AccountEvent(.autoRenewChanged, renewalInfos: [next])
    return info.isInBillingRetry ? [change, lapse(next, intent: ExpirationIntent.cancelled)] : [change]
  }
}

/// Apple: expirationIntent.
package enum ExpirationIntent {
  package static let cancelled = 1
  package static let billingError = 2
  package static let noConsent = 3
  package static let productUnavailable = 4
  package static let other = 5
}
