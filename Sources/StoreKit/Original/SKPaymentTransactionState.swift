/// Where a payment of the original StoreKit stands.
@nonexhaustive public enum SKPaymentTransactionState: Int, Hashable, Sendable {
  case purchasing
  case purchased
  case failed
  case restored
  case deferred
}
