import Shared
import Wire

extension AccountState {
  /// Apple: Extending the renewal date for auto-renewable subscriptions. The running transaction ends later.
  func decideExtension(_ request: ExtendSubscription, in context: StoreContext) throws(WireError) -> AccountDecision {
    guard ExtendSubscription.daysAllowed.contains(request.days),
      let added = SubscriptionPeriod(request.days, .day)
    else { throw WireError(.badBody, "an extension of \(request.days) days is refused: expected 1 to 90") }
    guard ExtendSubscription.reasonsAllowed.contains(request.reason) else {
      throw WireError(
        .badBody,
        "extension reason \(request.reason) is unknown: expected 0 (undeclared), 1 (customer satisfaction), 2 (other) "
          + "or 3 (outage)")
    }
    let info = try extendable(request, in: context)
    guard info.status == .subscribed, let last = history[info.latestTransactionId], last.price > 0 else {
      throw .refused(
        .extensionIneligible,
        "the subscription in group '\(info.subscriptionGroupIdentifier)' cannot be extended: "
          + "only an active one whose period was paid for can")
    }
    let aYearAgo = context.now.advanced(by: -SubscriptionExtension.yearMilliseconds)
    let recent = extensions[info.originalTransactionId, default: []].count { $0 > aYearAgo }
    guard recent < SubscriptionExtension.mostPerYear else {
      throw .refused(
        .tooManyExtensions,
        "the subscription in group '\(info.subscriptionGroupIdentifier)' was extended \(recent) times within 365 days, "
          + "the most that is allowed")
    }
    let end = context.world.timeRate.end(ofOffer: added, count: 1, from: info.renewalDate)
    let value = SubscriptionExtension(
      originalTransactionId: info.originalTransactionId, days: request.days, reason: request.reason, date: context.now)
    return AccountDecision([
      AccountEvent(
        .extended, records: [last.revised { $0.expiresDate = end }],
        renewalInfos: [info.revised { $0.renewalDate = end }], detail: .extension(value))
    ])
  }

  private func extendable(_ request: ExtendSubscription, in context: StoreContext) throws(WireError) -> RenewalInfo {
    let candidates: [RenewalInfo]
    let what: String
    if let lineage = request.originalTransactionId {
      candidates = history.renewalInfos[lineage].map { [$0] } ?? []
      what = "subscription \(lineage)"
    } else if let product = request.productId {
      guard let group = context.world.catalog.product(product)?.subscription?.groupID else {
        throw .refused(.notASubscription, "'\(product)' is no auto-renewable subscription of the catalogue")
      }
      candidates = history.renewalInfos.values.filter { $0.subscriptionGroupIdentifier == group }
      what = "subscription of group '\(group)'"
    } else {
      throw WireError(.badBody, "an extension names an originalTransactionId or a productId")
    }
    guard !candidates.isEmpty else { throw .refused(.unknownTransaction, "the account has no \(what)") }
    let own = candidates.filter { $0.inAppOwnershipType == .purchased }
    guard let info = own.max(by: { $0.latestTransactionId < $1.latestTransactionId }) else {
      throw .refused(.notYours, "\(what) is shared by the family: extend its purchaser's, and the family follows")
    }
    return info
  }
}
