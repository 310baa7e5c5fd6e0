package import Wire

/// What a step does to an account's subscriptions or its money.
package enum SubscriptionAction: Sendable, Hashable {
  case bill(fails: Bool, productId: String?)
  case raisePrice(productId: String, milliunits: Int64, needsConsent: Bool)
  case answerPrice(agree: Bool, productId: String?)
  case extend(productId: String, days: Int, reason: Int)
  case requestRefund(productId: String, reason: ConsumptionRequestReason?)
  case declineRefund(productId: String)
  case reverseRefund(productId: String)
}
