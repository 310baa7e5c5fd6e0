import Shared
import Wire

extension AccountActor {
  /// Extends the own active subscriptions to a product, and tells the world what came of it.
  mutating func extendAll(
    _ order: ExtendAllSubscriptions, for world: ActorAddress, in context: ActorContext
  ) -> ActorOutcome {
    var outcome = ActorOutcome()
    var answer = ExtensionAnswer(requestIdentifier: order.requestIdentifier, account: address.key, at: context.now)
    for lineage in active(of: order) {
      let request = ExtendSubscription(originalTransactionId: lineage, days: order.days, reason: order.reason)
      do {
        let result = commit(
          try state.decide(.extend(request), in: try context.store()).events, cause: nil, in: context)
        outcome.events += result.events
        outcome.records += result.records
        outcome.effects += result.effects
        answer.succeeded.append(lineage)
      } catch {
        answer.failed.append(lineage)
        if let failure = failure(of: lineage, in: context) { outcome.effects.append(failure) }
      }
    }
    outcome.effects.append((world, .extendedAll(answer)))
    return outcome
  }

  /// What the developer's server is told (Apple: RENEWAL_EXTENSION, FAILURE); nil where it has no URL.
  private func failure(
    of lineage: TransactionID, in context: ActorContext
  ) -> (target: ActorAddress, effect: StoreEffect)? {
    guard context.world?.notificationEndpoint != nil, let info = state.history.renewalInfos[lineage],
      let record = state.history[info.latestTransactionId]
    else { return nil }
    return (.notifications(of: address.world), .notify(.extensionFailed(of: record, info)))
  }

  /// What an extension is about: the family's follows the purchaser's by itself.
  private func active(of order: ExtendAllSubscriptions) -> [TransactionID] {
    state.history.renewalInfos.values.filter { info in
      guard info.productId == order.productId, info.isActive, info.inAppOwnershipType == .purchased else {
        return false
      }
      guard let storefronts = order.storefronts else { return true }
      return state.history[info.latestTransactionId].map { storefronts.contains($0.storefront) } ?? false
    }.map(\.originalTransactionId).sorted()
  }
}
