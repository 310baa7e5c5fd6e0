import Foundation
import Shared
import Wire

/// Who may have which offer, and when it begins.
extension AccountState {
  func checkEligibility(
    for offer: SubscriptionOffer, of product: CatalogProduct, _ terms: SubscriptionTerms, in context: StoreContext
  ) throws(WireError) {
    let own = ownSubscription(inGroup: terms.groupID)
    switch offer.kind {
    case .introductory: break
    case .promotional:
      guard own != nil else { throw .ineligible(offer, "it is for who has or had a subscription of the group") }
    case .winBack:
      guard let id = offer.id, own?.eligibleWinBackOfferIds.contains(id) == true else {
        throw .ineligible(offer, "the customer is not among those to be won back")
      }
    case .code: try checkCode(offer, of: product, terms, own, in: context)
    }
  }

  private func checkCode(
    _ offer: SubscriptionOffer, of product: CatalogProduct, _ terms: SubscriptionTerms, _ own: RenewalInfo?,
    in context: StoreContext
  ) throws(WireError) {
    guard !redeemedOffers.contains(RedeemedOffer(productId: product.id, offerId: offer.id ?? "")) else {
      throw .ineligible(offer, "the account has redeemed it before")
    }
    let customer: SubscriptionOffer.CodeEligibility =
      own.map { $0.isActive || $0.isInBillingRetry ? .existing : .expired } ?? .new
    guard offer.codeEligibility.contains(customer) else {
      throw .ineligible(offer, "it is not for \(customer.rawValue) customers")
    }
    if let own, own.isActive, let level = context.world.catalog.product(own.productId)?.subscription?.level {
      guard terms.level <= level else { throw .ineligible(offer, "it would downgrade the subscription") }
    }
  }

  /// Puts an offer behind what runs: it begins with the next renewal as its product.
  func wait(
    _ offer: SubscriptionOffer, of product: CatalogProduct, behind current: RenewalInfo, _ cycle: inout RenewalCycle
  ) throws(WireError) {
    if product.id == current.productId {
      // Apple: one offer at a time.
      guard cycle.coming?.productId != product.id else { throw .ineligible(offer, "another one waits already") }
      let runsIntroductory = history[current.latestTransactionId]?.offer?.type == AppliedOffer.introductory
      if offer.kind == .code, runsIntroductory {
        guard offer.isStackable else { throw .ineligible(offer, "it may not follow an introductory offer") }
      } else {
        guard cycle.offerPeriodsLeft == 0 else { throw .ineligible(offer, "another one still runs") }
      }
    }
    cycle.coming = ComingOffer(productId: product.id, offer: offer)
  }

  /// What the next period of a plan costs, and with which offer. One that runs goes on only with its own plan.
  func nextPeriod(
    as product: CatalogProduct, after currentProductId: String, _ cycle: RenewalCycle?
  ) -> (price: Int64, offer: AppliedOffer?) {
    guard let cycle else { return (product.priceMilliunits, nil) }
    if product.id == currentProductId, cycle.offerPeriodsLeft > 0 { return (cycle.offerPrice, cycle.offer) }
    if let coming = cycle.coming, coming.productId == product.id {
      return (coming.offer.priceMilliunits, coming.applied)
    }
    return (cycle.price(of: product), nil)
  }

  // MARK: Codes

  func decideRedemption(_ request: RedeemCode, in context: StoreContext) throws(WireError) -> AccountDecision {
    guard let product = context.world.catalog.product(request.productId) else {
      throw .refused(
        .productUnavailable, "the catalogue of world '\(context.world.world)' has no product '\(request.productId)'")
    }
    guard (request.code == nil) != (request.referenceName == nil) else {
      throw .refused(.missingOfferParameters, "name either the code or the reference name of the offer")
    }
    let found = product.subscription?.codeOffers.first { offer in
      request.code.map { $0 == offer.id } ?? (request.referenceName == offer.referenceName)
    }
    guard let offer = found, let id = offer.id else {
      throw .refused(
        .invalidOfferIdentifier,
        "'\(product.id)' has no offer code '\(request.code ?? request.referenceName ?? "")' in the catalogue")
    }
    var decision = try buy(product, Purchase(productId: product.id), OfferTerms(offer: offer), in: context)
    decision.events[0].detail = .redemption(RedeemedOffer(productId: product.id, offerId: id))
    return decision
  }
}

extension WireError {
  fileprivate static func ineligible(_ offer: SubscriptionOffer, _ why: String) -> WireError {
    .refused(.ineligibleForOffer, "the account may not have offer '\(offer.id ?? "")': \(why)")
  }
}
