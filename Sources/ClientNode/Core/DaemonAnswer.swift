package import Wire

/// The answer to a `DaemonCall` of the same kind.
package enum DaemonAnswer: Sendable {
  case products(GetProducts.Reply)
  case purchase(PurchaseOutcome)
  case done
  case transactions([SignedTransaction])
  case statuses([SignedStatus])
  case isEligible(Bool)
  case appTransaction(SignedAppTransaction)
}
