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
  /// ISO 3166-1 alpha-3.
  case storefront(String)
}
