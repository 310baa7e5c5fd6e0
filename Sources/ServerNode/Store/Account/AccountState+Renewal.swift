import Shared
import Wire

extension AccountState {
  /// A period ends: the next one begins, or the subscription lapses.
  func decideRenewal(of lineage: TransactionID, in context: StoreContext) -> AccountDecision {
    guard let info = history.renewalInfos[lineage], info.status == .subscribed, info.renewalDate <= context.now,
      let last = history[info.latestTransactionId]
    else { return AccountDecision() }
    guard info.willAutoRenew else { return lapse(info, intent: ExpirationIntent.cancelled, in: context) }
    guard let product = context.world.catalog.product(info.autoRenewProductId), let terms = product.subscription else {
      return lapse(info, intent: ExpirationIntent.productUnavailable, in: context)
    }
    return renew(info, last, as: product, terms, in: context)
  }

  private func renew(
    _ info: RenewalInfo, _ last: TransactionRecord, as product: CatalogProduct, _ terms: SubscriptionTerms,
    in context: StoreContext
  ) -> AccountDecision {
    let start = info.renewalDate
    var cycle = cycles[info.originalTransactionId] ?? RenewalCycle(anchor: start, periods: 0, period: terms.period)
    let hasOffer = cycle.offerPeriodsLeft > 0 && product.id == info.productId
    if hasOffer {
      cycle.offerPeriodsLeft -= 1
      cycle.periods += 1
    } else if cycle.period != terms.period || context.world.timeRate != .realTime {
      // Another length begins a count of its own; accelerated periods need no calendar.
      cycle = RenewalCycle(anchor: start, periods: 1, period: terms.period)
    } else {
      // An offer paid as one goes may end here; its periods were as long, so the day of the month stays.
      cycle = RenewalCycle(anchor: cycle.anchor, periods: cycle.periods + 1, period: cycle.period)
    }
    let id = transactionId()
    var record = last
    record.transactionId = id
    record.recordRevision = 1
    record.productId = product.id
    record.webOrderLineItemId = String(id.rawValue + 1_000_000_000_000_000)
    record.purchaseDate = start
    record.expiresDate = context.world.timeRate.end(of: cycle.period, times: cycle.periods, from: cycle.anchor)
    record.transactionReason = .renewal
    record.offer = hasOffer ? cycle.offer : nil
    record.price = hasOffer ? cycle.offerPrice : product.priceMilliunits
    record.isUpgraded = false
    record.isFinished = false
    record.appAccountToken = info.appAccountToken
    let next = info.revised {
      $0.latestTransactionId = id
      $0.productId = product.id
      $0.renewalDate = record.expiresDate ?? start
      $0.renewalPrice = cycle.offerPeriodsLeft > 0 ? cycle.offerPrice : product.priceMilliunits
      $0.nextOffer = cycle.offerPeriodsLeft > 0 ? cycle.offer : nil
    }
    return AccountDecision([
      AccountEvent(.renewed, records: [record], renewalInfos: [next], cycles: [info.originalTransactionId: cycle])
    ])
  }

  private func lapse(_ info: RenewalInfo, intent: Int, in context: StoreContext) -> AccountDecision {
    let ended = info.revised {
      $0.status = .expired
      $0.willAutoRenew = false
      $0.expirationIntent = intent
    }
    return AccountDecision([AccountEvent(.expired, renewalInfos: [ended])])
  }

  func decideAutoRenew(_ change: SetAutoRenew, in context: StoreContext) throws(WireError) -> AccountDecision {
    guard let group = context.world.catalog.product(change.productId)?.subscription?.groupID else {
      throw .refused(.notASubscription, "'\(change.productId)' is no auto-renewable subscription of the catalogue")
    }
    guard let info = ownSubscription(inGroup: group), info.isActive else {
      throw .refused(.wrongState, "the account has no active subscription of its own in group '\(group)'")
    }
    guard info.willAutoRenew != change.on else { return AccountDecision() }
    let next = info.revised {
      $0.willAutoRenew = change.on
      // Apple: switching it on again renews the plan that runs.
      if change.on, let product = context.world.catalog.product($0.productId) { prefer(product, in: &$0) }
    }
    return AccountDecision([AccountEvent(.autoRenewChanged, renewalInfos: [next])])
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
