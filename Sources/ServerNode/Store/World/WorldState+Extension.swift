package import Shared
package import Wire

extension WorldState {
  /// Apple: Extend Subscription Renewal Dates for All Active Subscribers.
  package func decide(
    extendAll order: ExtendAllSubscriptions, world: String, now: StoreTime
  ) throws(WireError) -> [WorldEvent] {
    guard (1...128).contains(order.requestIdentifier.count) else {
      throw WireError(.badBody, "a request identifier has 1 to 128 characters, not \(order.requestIdentifier.count)")
    }
    guard ExtendSubscription.daysAllowed.contains(order.days),
      ExtendSubscription.reasonsAllowed.contains(order.reason)
    else {
      throw WireError(
        .badBody, "an extension is of 1 to 90 days, for reason 0 to 3, not of \(order.days) for \(order.reason)")
    }
    for storefront in order.storefronts ?? [] { try AccountProfile.check(storefront: storefront) }
    guard catalog?.product(order.productId)?.subscription != nil else {
      throw .refused(
        .notASubscription,
        "'\(order.productId.prefix(200))' is no auto-renewable subscription of the catalogue of world '\(world)'")
    }
    guard let known = extensionRuns[order.requestIdentifier] else { return [.extensionStarted(order, at: now)] }
    guard known.order == order else {
      throw .refused(
        .alreadyExists,
        "request identifier '\(order.requestIdentifier)' names another extension already: take a new one")
    }
    return []
  }

  /// An account has followed; nothing for one that has answered already, or for an extension from before a reset.
  package func decide(_ answer: ExtensionAnswer) -> [WorldEvent] {
    extensionRuns[answer.requestIdentifier]?.open.contains(answer.account) == true ? [.extensionAnswered(answer)] : []
  }
}
