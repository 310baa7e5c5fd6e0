package import Shared
import Wire

/// How an account of a fleet that runs gets into a state: its clock only goes forward, so the first command is now and
/// the state is reached later.
package struct StateJourney: Sendable {
  /// In the order of their times.
  package let commands: [ScenarioPrelude]
  /// When the account is in the state.
  package let end: StoreTime

  /// - Throws: one sentence that says why there is no such state.
  package init(
    _ kind: ScenarioState.Kind, _ time: Duration, account: String, product: CatalogProduct, timeRate: TimeRate,
    gracePeriod: GracePeriod? = nil, history: AccountHistory = AccountHistory([]), isEligibleForIntroOffer: Bool = true,
    from now: StoreTime
  ) throws(ImpossibleState) {
    var world = ScenarioWorld(
      name: "", bundleId: "", environment: "", clock: .manual(startsAt: now), timeRate: timeRate)
    world.gracePeriod = gracePeriod
    try StateJourney.check(kind, account, product, history, isEligibleForIntroOffer)
    let plan = StartPlan(
      account: account, product: isEligibleForIntroOffer ? product : product.withoutIntroductoryOffers, world: world,
      begin: now)
    (commands, end) = try plan.forward(kind, time)
    guard end <= .endOfCalendar else {
      throw ImpossibleState(
        message: "the clock would have to go beyond the year 9999: say less than \(DurationText.format(time))")
    }
  }

  /// What the account has done so far may stand in the way.
  private static func check(
    _ kind: ScenarioState.Kind, _ account: String, _ product: CatalogProduct, _ history: AccountHistory,
    _ isEligibleForIntroOffer: Bool
  ) throws(ImpossibleState) {
    if let group = product.subscription?.groupID,
      let running = history.running.first(where: { $0.subscriptionGroupIdentifier == group })
    {
      throw ImpossibleState(
        message:
          "\(account) has '\(running.productId)' of the same subscription group, so a purchase now would change its "
          + "plan: take an account without one, or reset this one first")
    }
    guard kind != .trial || isEligibleForIntroOffer else {
      throw ImpossibleState(
        message:
          "\(account) is not eligible for the trial of '\(product.id)', since it has had an introductory offer of the "
          + "subscription group or its family shares a plan of it: take another account, or reset this one first")
    }
  }
}

extension CatalogProduct {
  /// As it is for a customer who has had an introductory offer of its group.
  fileprivate var withoutIntroductoryOffers: CatalogProduct {
    let terms = subscription.map {
      SubscriptionTerms(
        groupID: $0.groupID, level: $0.level, period: $0.period, introductoryOffers: [],
        promotionalOffers: $0.promotionalOffers, codeOffers: $0.codeOffers, winBackOffers: $0.winBackOffers)
    }
    return CatalogProduct(
      id: id, type: type, priceMilliunits: priceMilliunits, referenceName: referenceName,
      isFamilyShareable: isFamilyShareable, localizations: localizations, subscription: terms)
  }
}
