import Foundation
import Shared
import Wire

extension AccountState {
  func decidePurchase(_ purchase: Purchase, in context: StoreContext) throws(WireError) -> AccountDecision {
    let product = try checkedProduct(of: purchase, in: context)
    let terms = try terms(of: purchase, product)
    guard let nonce = try verifiedNonce(of: purchase, in: context) else {
      return try decidePurchase(purchase, of: product, terms, in: context)
    }
    // Apple: a signature is good for one purchase, even for one that fails.
    do throws(WireError) {
      var decision = try decidePurchase(purchase, of: product, terms, in: context)
      if decision.events.isEmpty { decision.events = [AccountEvent(.offerSignatureUsed)] }
      decision.events[0].offerNonce = nonce
      return decision
    } catch {
      guard usedOfferNonces[nonce] == nil else { throw error }
      var event = AccountEvent(.offerSignatureUsed)
      event.offerNonce = nonce
      return AccountDecision([event], refusal: error)
    }
  }

  private func decidePurchase(
    _ purchase: Purchase, of product: CatalogProduct, _ terms: OfferTerms, in context: StoreContext
  ) throws(WireError) -> AccountDecision {
    if terms.offer == nil, let owned = alreadyOwned(product) { return AccountDecision(outcome: .existing(owned)) }
    if context.world.habits.unfinishedAnswersPurchase, terms.offer == nil,
      let open = history.unfinished.last(where: { $0.productId == product.id && $0.revocation == nil })
    {
      return AccountDecision(outcome: .existing(open.transactionId))
    }
    if profile?.asksToBuy == true || purchase.simulatesAskToBuy || context.world.asksToBuy {
      // Nobody is asked for what the store would refuse.
      if terms.offer != nil { _ = try buy(product, purchase, terms, in: context) }
      return ask(for: purchase, in: context)
    }
    if isInterrupted(purchase, in: context) {
      if terms.offer != nil { _ = try buy(product, purchase, terms, in: context) }
      return interrupt(purchase, in: context)
    }
    return try buy(product, purchase, terms, in: context)
  }

  private func checkedProduct(of purchase: Purchase, in context: StoreContext) throws(WireError) -> CatalogProduct {
    guard let product = context.world.catalog.product(purchase.productId) else {
      throw .refused(
        .productUnavailable, "the catalogue of world '\(context.world.world)' has no product '\(purchase.productId)'")
    }
    // Apple: quantity is 1 to 10, and more than 1 only for consumables and non-renewing subscriptions.
    let most = product.type == .consumable || product.type == .nonRenewing ? 10 : 1
    guard (1...most).contains(purchase.quantity) else {
      let expected = most == 1 ? "it is bought one at a time" : "expected 1 to \(most)"
      throw .refused(
        .invalidQuantity, "quantity \(purchase.quantity) of '\(product.id)' is refused: \(expected)")
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
  func buy(
    _ product: CatalogProduct, _ purchase: Purchase, _ wanted: OfferTerms, in context: StoreContext
  ) throws(WireError) -> AccountDecision {
    guard let terms = product.subscription else {
      let record = newRecord(of: product, purchase, at: context.now, in: context)
      return AccountDecision(
        [AccountEvent(.purchased, records: [record])], outcome: .purchased(record.transactionId))
    }
    if let offer = wanted.offer { try checkEligibility(for: offer, of: product, terms, in: context) }
    if let current = ownSubscription(inGroup: terms.groupID), current.isActive {
      return try changePlan(from: current, to: product, terms, purchase, offer: wanted.offer, in: context)
    }
    return subscribe(to: product, terms, purchase, wanted, in: context)
  }

  // MARK: Subscriptions

  private func subscribe(
    to product: CatalogProduct, _ terms: SubscriptionTerms, _ purchase: Purchase, _ wanted: OfferTerms,
    in context: StoreContext
  ) -> AccountDecision {
    let isEligible = wanted.allowsIntroductory ?? isEligibleForIntroductoryOffer(inGroup: terms.groupID)
    let introductory = isEligible ? terms.introductoryOffers.first : nil
    // A code that may follow the introductory offer does; any other offer takes its place.
    let isStacked = introductory != nil && wanted.offer?.isStackable == true
    let previous = ownSubscription(inGroup: terms.groupID)
    let (record, fresh, cycle) = firstPeriod(
      of: product, terms, purchase, offer: isStacked ? introductory : wanted.offer ?? introductory,
      coming: isStacked ? wanted.offer : nil, lineage: previous?.originalTransactionId, in: context)
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
    coming: SubscriptionOffer? = nil, lineage: TransactionID?, in context: StoreContext
  ) -> (TransactionRecord, RenewalInfo, RenewalCycle) {
    var record = newRecord(of: product, purchase, at: context.now, in: context)
    var cycle = RenewalCycle(anchor: context.now, periods: 0, period: terms.period)
    cycle.coming = coming.map { ComingOffer(productId: product.id, offer: $0) }
    record.subscriptionGroupIdentifier = terms.groupID
    record.webOrderLineItemId = String(record.transactionId.rawValue + 1_000_000_000_000_000)
    if let lineage, let latest = latest(ofLineage: lineage) {
      record.originalTransactionId = lineage
      record.originalPurchaseDate = latest.originalPurchaseDate
    }
    if record.appAccountToken == nil, let lineage { record.appAccountToken = keptToken(ofLineage: lineage) }
    let rate = context.world.timeRate
    if let offer {
      record.offer = AppliedOffer(offer)
      record.price = offer.priceMilliunits
      record.expiresDate = cycle.begin(offer, at: context.now, planPeriod: terms.period, rate: rate)
    } else {
      cycle.beginPeriod(of: terms.period, at: context.now, rate: rate)
      record.expiresDate = rate.end(of: terms.period, from: context.now)
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
    (info.renewalPrice, info.nextOffer) = nextPeriod(as: product, after: product.id, cycle)
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

  /// Apple: an upgrade, and a crossgrade of equal duration, take effect now; everything else at the next renewal. An
  /// offer begins with it.
  private func changePlan(
    from current: RenewalInfo, to product: CatalogProduct, _ terms: SubscriptionTerms, _ purchase: Purchase,
    offer: SubscriptionOffer?, in context: StoreContext
  ) throws(WireError) -> AccountDecision {
    let currentTerms = context.world.catalog.product(current.productId)?.subscription
    let isUpgrade = currentTerms.map { terms.level < $0.level } ?? true
    let isEqualCrossgrade = currentTerms.map { terms.level == $0.level && terms.period == $0.period } ?? false
    guard current.productId != product.id, isUpgrade || isEqualCrossgrade else {
      let lineage = current.originalTransactionId
      var cycle = cycles[lineage] ?? RenewalCycle(anchor: current.renewalDate, periods: 0, period: terms.period)
      if let offer { try wait(offer, of: product, behind: current, &cycle) }
      let info = current.revised {
        $0.willAutoRenew = true
        prefer(product, in: &$0, cycle)
      }
      return AccountDecision(
        [
          AccountEvent(
            .renewalPreferenceChanged, renewalInfos: [info], cycles: offer == nil ? [:] : [lineage: cycle])
        ],
        outcome: .existing(current.latestTransactionId))
    }
    let lineage = current.originalTransactionId
    let (record, fresh, cycle) = firstPeriod(of: product, terms, purchase, offer: offer, lineage: lineage, in: context)
    var info = fresh
    info.recentSubscriptionStartDate = current.recentSubscriptionStartDate
    let replaced = history[current.latestTransactionId].map { [$0.revised { $0.isUpgraded = true }] } ?? []
    return AccountDecision(
      [AccountEvent(.purchased, records: replaced + [record], renewalInfos: [info], cycles: [lineage: cycle])],
      outcome: .purchased(record.transactionId))
  }

  /// Sets what the next period will be.
  func prefer(_ product: CatalogProduct, in info: inout RenewalInfo, _ cycle: RenewalCycle?) {
    info.autoRenewProductId = product.id
    (info.renewalPrice, info.nextOffer) = nextPeriod(as: product, after: info.productId, cycle)
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
  init(_ offer: SubscriptionOffer) {
    let type =
      switch offer.kind {
      case .introductory: AppliedOffer.introductory
      case .promotional: AppliedOffer.promotional
      case .code: AppliedOffer.code
      case .winBack: AppliedOffer.winBack
      }
    let whole = SubscriptionPeriod(offer.period.value * offer.periodCount, offer.period.unit) ?? offer.period
    self.init(
      type: type, identifier: offer.kind == .introductory ? nil : offer.id, discountType: offer.paymentMode.rawValue,
      period: whole.description)
  }
}
