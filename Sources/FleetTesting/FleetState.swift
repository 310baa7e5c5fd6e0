import Fleet

/// What an account can be like when a test begins, or after `FleetAccount.start`. Needs a manual clock.
public enum FleetState: Hashable, Sendable {
  /// Bought it so long ago.
  case owns(_ productID: String, ago: Duration = .zero)
  /// Is in the plan's free trial, which ends when this has gone by.
  case trial(_ productID: String, left: Duration)
  /// Paid for a period, cancelled, and lapsed so long ago.
  case lapsed(_ productID: String, ago: Duration)
  /// Could not be charged so long ago, and may use it still; needs a grace period.
  case grace(_ productID: String, for: Duration)
  /// Could not be charged so long ago, and may not use it; billing is tried again.
  case retry(_ productID: String, for: Duration)
  /// Bought it, and got the money back so long ago.
  case refunded(_ productID: String, ago: Duration = .zero)

  var parts: (kind: ScenarioState.Kind, productID: String, time: Duration) {
    switch self {
    case .owns(let product, let ago): (.owns, product, ago)
    case .trial(let product, let left): (.trial, product, left)
    case .lapsed(let product, let ago): (.lapsed, product, ago)
    case .grace(let product, let time): (.grace, product, time)
    case .retry(let product, let time): (.retry, product, time)
    case .refunded(let product, let ago): (.refunded, product, ago)
    }
  }
}
