import Shared

extension AccountState {
  /// What a decision changes about who may be won back: the own subscription's list of offers follows whatever happens
  /// in its group, the family's share included.
  func withWinBackOffers(_ decision: AccountDecision, in context: StoreContext) -> AccountDecision {
    if isOnlyRenewal(decision) { return decision }
    var infos = history.renewalInfos
    var groups: Set<String> = []
    for info in decision.events.flatMap(\.renewalInfos) {
      infos[info.originalTransactionId] = info
      groups.insert(info.subscriptionGroupIdentifier)
    }
    guard let place = decision.events.lastIndex(where: { !$0.renewalInfos.isEmpty }) else { return decision }
    var decision = decision
    for group in groups.sorted() {
      let ofGroup = infos.values.filter { $0.subscriptionGroupIdentifier == group }
      let own = ofGroup.filter { $0.inAppOwnershipType == .purchased }
      guard let info = own.max(by: { $0.latestTransactionId < $1.latestTransactionId }) else { continue }
      let offers = winBackOffers(for: info, among: ofGroup, in: context.world.catalog)
      guard offers != info.eligibleWinBackOfferIds else { continue }
      let index = decision.events.lastIndex { event in
        event.renewalInfos.contains { $0.originalTransactionId == info.originalTransactionId }
      }
      if let index {
        for slot in decision.events[index].renewalInfos.indices
        where decision.events[index].renewalInfos[slot].originalTransactionId == info.originalTransactionId {
          decision.events[index].renewalInfos[slot].eligibleWinBackOfferIds = offers
        }
      } else {
        decision.events[place].renewalInfos.append(info.revised { $0.eligibleWinBackOfferIds = offers })
      }
    }
    return decision
  }

  /// Whether it is about the account's only subscription, which goes on and has no such offers: so are nearly all renewals.
  private func isOnlyRenewal(_ decision: AccountDecision) -> Bool {
    guard decision.events.count == 1, decision.events[0].renewalInfos.count == 1, history.renewalInfos.count <= 1,
      let info = decision.events[0].renewalInfos.first
    else { return false }
    return (info.willAutoRenew || info.status != .expired) && info.eligibleWinBackOfferIds.isEmpty
      && (history.renewalInfos.isEmpty || history.renewalInfos[info.originalTransactionId] != nil)
  }

  /// Apple: Win-back offers are for who paid before, has nothing active in the group, own or shared, and is not in
  /// billing retry. The plan's own offers come first, then those of the group's other plans, each in file order.
  private func winBackOffers(for info: RenewalInfo, among ofGroup: [RenewalInfo], in catalog: Catalog) -> [String] {
    guard info.status == .expired, !info.willAutoRenew,
      !ofGroup.contains(where: { $0.isActive || $0.isInBillingRetry })
    else { return [] }
    let plans = catalog.subscriptions(inGroup: info.subscriptionGroupIdentifier)
    let ordered = plans.filter { $0.id == info.productId } + plans.filter { $0.id != info.productId }
    let offers = ordered.flatMap { $0.subscription?.winBackOffers ?? [] }.filter(\.isWinBackEligible).compactMap(\.id)
    guard !offers.isEmpty else { return [] }
    let hasPaid = lineages[info.originalTransactionId].map { $0.paidPeriods > 0 } ?? false
    return hasPaid ? offers : []
  }
}
