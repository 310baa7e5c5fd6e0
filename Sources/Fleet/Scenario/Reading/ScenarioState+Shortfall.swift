import Shared

extension ScenarioState.Kind {
  /// What an account lacks that should be in the state now; nil when it is. Only the store knows the world's grace period,
  /// and shows it when the renewal fails.
  package func shortfall(of product: String, in history: AccountHistory) -> String? {
    let status = history.running.first { $0.productId == product }?.status
    switch self {
    case .grace where status != .inGracePeriod:
      return "is not in grace: the world has no grace period, or a shorter one"
    case .retry where status != .inBillingRetryPeriod:
      return "is not in billing retry: it is still in grace, or the store gave up before"
    default: return nil
    }
  }
}
