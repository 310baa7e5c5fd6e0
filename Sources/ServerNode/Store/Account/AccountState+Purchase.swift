import Foundation
import Shared
import Wire

extension AccountState {
  func decidePurchase(_ purchase: Purchase, in context: StoreContext) throws(WireError) -> AccountDecision {
    let product = try checkedProduct(of: purchase, in: context)
    if let owned = alreadyOwned(product) { return AccountDecision(outcome: .existing(owned)) }
    if profile?.asksToBuy == true || purchase.simulatesAskToBuy {
      return ask(for: purchase, in: context)
    }
    return buy(product, purchase, in: context)
  }

  private func checkedProduct(of purchase: Purchase, in context: StoreContext) throws(WireError) -> CatalogProduct {
    guard let product = context.world.catalog.product(purchase.productId) else {
      throw .refused(
        .productUnavailable, "the catalogue of world '\(context.world.world)' has no product '\(purchase.productId)'")
    }
    // Apple: quantity is 1 to 10, and more than 1 only for consumables and non-renewing subscriptions.
    let most = product.type == .consumable || product.type == .nonRenewing ? 10 : 1
    guard (1...most).contains(purchase.quantity) else {
      throw .refused(
        .invalidQuantity, "quantity \(purchase.quantity) of '\(product.id)' is refused: expected 1 to \(most)")
    }
    return product
  }

  /// Buying what one owns makes no new transaction: the App Store hands back the one that there is.
  func alreadyOwned(_ product: CatalogProduct) -> TransactionID? {
    switch product.type {
    case .nonConsumable:
      return history.records.last {
        $0.productId == product.id && $0.revocation == nil && $0.inAppOwnershipType == .purchased
      }?.transactionId
    case .autoRenewable:
      guard let group = product.subscription?.groupID, let info = ownSubscription(inGroup: group), info.isActive,
        info.productId == product.id, info.autoRenewProductId == product.id
      else { return nil }
      return info.latestTransactionId
    case .consumable, .nonRenewing: return nil
    }
  }

  /// What a purchase does once nothing holds it up any more.
  func buy(_ product: CatalogProduct, _ purchase: Purchase, in context: StoreContext) -> AccountDecision {
    guard let terms = product.subscription else {
      let record = newRecord(of: product, purchase, at: context.now, in: context)
      return AccountDecision(
        [AccountEvent(.purchased, records: [record])], outcome: .purchased(record.transactionId))
    }
    if let current = ownSubscription(inGroup: terms.groupID), current.isActive {
      return changePlan(from: current, to: product, terms, purchase, in: context)
    }
    return subscribe(to: product, terms, purchase, in: context)
  }

  // MARK: Subscriptions

  private func subscribe(
    to product: CatalogProduct, _ terms: SubscriptionTerms, _ purchase: Purchase, in context: StoreContext
  ) -> AccountDecision {
    let offer = isEligibleForIntroductoryOffer(inGroup: terms.groupID) ? terms.introductoryOffers.first : nil
    let previous = ownSubscription(inGroup: terms.groupID)
    let (record, fresh, cycle) = firstPeriod(
      of: product, terms, purchase, offer: offer, lineage: previous?.originalTransactionId, in: context)
    var info = fresh
    if let previous {
      info.recentSubscriptionStartDate = seriesStart(of: previous, goingOnAt: context.now, in: context)
    }
    return AccountDecision(
      [AccountEvent(.purchased, records: [record], renewalInfos: [info], cycles: [info.originalTransactionId: cycle])],
      outcome: .purchased(record.transactionId))
  }

  private func firstPeriod(
    of product: CatalogProduct, _ terms: SubscriptionTerms, _ purchase: Purchase, offer: SubscriptionOffer?,
    lineage: TransactionID?, in context: StoreContext
  ) -> (TransactionRecord, RenewalInfo, RenewalCycle) {
    var record = newRecord(of: product, purchase, at: context.now, in: context)
    var cycle = RenewalCycle(anchor: context.now, period: terms.period)
    record.subscriptionGroupIdentifier = terms.groupID
    record.webOrderLineItemId = String(record.transactionId.rawValue + 1_000_000_000_000_000)
    if let lineage, let first = history[lineage] {
      record.originalTransactionId = lineage
      record.originalPurchaseDate = first.originalPurchaseDate
    }
    if record.appAccountToken == nil, let lineage { record.appAccountToken = keptToken(ofLineage: lineage) }
    if let offer {
      let applied = AppliedOffer(offer, identifier: offer.kind == .introductory ? nil : offer.id)
      record.offer = applied
      record.price = offer.priceMilliunits
      cycle.period = offer.period
      switch offer.paymentMode {
      case .freeTrial, .payUpFront:
        record.expiresDate = context.world.timeRate.end(
          ofOffer: offer.period, count: offer.periodCount, from: context.now)
      case .payAsYouGo:
        record.expiresDate = context.world.timeRate.end(of: offer.period, from: context.now)
        cycle.offerPeriodsLeft = offer.periodCount - 1
        cycle.offer = applied
        cycle.offerPrice = offer.priceMilliunits
      }
      // The plan's own periods are counted from the end of the offer.
      if cycle.offerPeriodsLeft == 0 {
        cycle = RenewalCycle(anchor: record.expiresDate ?? context.now, periods: 0, period: terms.period)
      }
    } else {
      record.expiresDate = context.world.timeRate.end(of: terms.period, from: context.now)
    }
    let known = lineage.flatMap { history.renewalInfos[$0] }
    var info = RenewalInfo(
      originalTransactionId: record.originalTransactionId, subscriptionGroupIdentifier: terms.groupID,
      latestTransactionId: record.transactionId, productId: product.id, willAutoRenew: true, status: .subscribed,
      renewalDate: record.expiresDate ?? context.now, renewalPrice: product.priceMilliunits,
      currency: context.world.currency, recentSubscriptionStartDate: context.now,
      appTransactionId: record.appTransactionId)
    info.recordRevision = (known?.recordRevision ?? 0) + 1
    info.appAccountToken = record.appAccountToken
    if cycle.offerPeriodsLeft > 0 {
      info.nextOffer = cycle.offer
      info.renewalPrice = cycle.offerPrice
    }
    return (record, info, cycle)
  }

  /// A purchase without a token goes on with the lineage's, through changes of the plan too; not when the lineage went
  /// to another user since, who would lose it by that.
  private func keptToken(ofLineage lineage: TransactionID) -> UUID? {
    guard let token = history.renewalInfos[lineage]?.appAccountToken, user(ofLineage: lineage) == token else {
      return nil
    }
    return token
  }

  /// Apple: an upgrade, and a crossgrade of equal duration, take effect now; everything else at the next renewal.
  private func changePlan(
    from current: RenewalInfo, to product: CatalogProduct, _ terms: SubscriptionTerms, _ purchase: Purchase,
    in context: StoreContext
  ) -> AccountDecision {
    let currentTerms = context.world.catalog.product(current.productId)?.subscription
    let isUpgrade = currentTerms.map { terms.level < $0.level } ?? true
    let isEqualCrossgrade = currentTerms.map { terms.level == $0.level && terms.period == $0.period } ?? false
    guard current.productId != product.id, isUpgrade || isEqualCrossgrade else {
      let info = current.revised {
        $0.willAutoRenew = true
        prefer(product, in: &$0)
      }
      return AccountDecision(
        [AccountEvent(.renewalPreferenceChanged, renewalInfos: [info])],
        outcome: .existing(current.latestTransactionId))
    }
    let lineage = current.originalTransactionId
    let (record, fresh, cycle) = firstPeriod(of: product, terms, purchase, offer: nil, lineage: lineage, in: context)
    var info = fresh
    info.recentSubscriptionStartDate = current.recentSubscriptionStartDate
    let replaced = history[current.latestTransactionId].map { [$0.revised { $0.isUpgraded = true }] } ?? []
    return AccountDecision(
      [AccountEvent(.purchased, records: replaced + [record], renewalInfos: [info], cycles: [lineage: cycle])],
      outcome: .purchased(record.transactionId))
  }

  /// Sets what the next period will be. An offer that still runs goes on only with its own plan.
  func prefer(_ product: CatalogProduct, in info: inout RenewalInfo) {
    let cycle = cycles[info.originalTransactionId]
    let hasOffer = product.id == info.productId && cycle?.offerPeriodsLeft ?? 0 > 0
    let price = cycle?.price(of: product) ?? product.priceMilliunits
    info.autoRenewProductId = product.id
    info.renewalPrice = hasOffer ? cycle?.offerPrice ?? price : price
    info.nextOffer = hasOffer ? cycle?.offer : nil
    info.priceIncreaseStatus = comingIncrease(of: product.id, info)?.status
  }

  /// Since when the subscriber has had it, with gaps that do not count (Apple: recentSubscriptionStartDate).
  func seriesStart(of info: RenewalInfo, goingOnAt now: StoreTime, in context: StoreContext) -> StoreTime {
    let last = history[info.latestTransactionId]
    let end = last?.revocation?.date ?? last?.expiresDate ?? now
    let isOneSeries = now <= end.advanced(by: context.world.timeRate.seriesGapMilliseconds)
    return isOneSeries ? info.recentSubscriptionStartDate : now
  }

  // MARK: Records

  private func newRecord(
    of product: CatalogProduct, _ purchase: Purchase, at now: StoreTime, in context: StoreContext
  ) -> TransactionRecord {
    let id = transactionId()
    var record = TransactionRecord(
      transactionId: id, originalTransactionId: id, productId: product.id, type: product.type, purchaseDate: now,
      originalPurchaseDate: now, price: product.priceMilliunits * Int64(purchase.quantity),
      currency: context.world.currency, storefront: storefront ?? context.world.storefront,
      appTransactionId: profile?.appTransactionId ?? "")
    record.quantity = purchase.quantity
    record.appAccountToken = purchase.appAccountToken
    return record
  }
}

extension AppliedOffer {
  init(_ offer: SubscriptionOffer, identifier: String?) {
    let type =
      switch offer.kind {
      case .introductory: AppliedOffer.introductory
      case .promotional: AppliedOffer.promotional
      case .code: AppliedOffer.code
      case .winBack: AppliedOffer.winBack
      }
    let whole = SubscriptionPeriod(offer.period.value * offer.periodCount, offer.period.unit) ?? offer.period
    self.init(
      type: type, identifier: identifier, discountType: offer.paymentMode.rawValue, period: whole.description)
  }
}
