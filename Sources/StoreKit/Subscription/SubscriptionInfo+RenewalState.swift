extension Product.SubscriptionInfo {
  /// Where a subscription stands.
  ///
  /// Apple's is a structure with these values as constants, of which a `switch` needs a `default`. Published listings
  /// have `@unknown default`, which compiles for enumerations alone; as this one has a case for values that it does not
  /// know, both compile.
  public enum RenewalState: RawRepresentable, Hashable, Sendable {
    case subscribed
    case expired
    case inBillingRetryPeriod
    case inGracePeriod
    case revoked
    /// Not Apple's: a state that this version does not know.
    case unrecognized(Int)

    public init(rawValue: Int) {
      self =
        switch rawValue {
        case 1: .subscribed
        case 2: .expired
        case 3: .inBillingRetryPeriod
        case 4: .inGracePeriod
        case 5: .revoked
        default: .unrecognized(rawValue)
        }
    }

    public var rawValue: Int {
      switch self {
      case .subscribed: 1
      case .expired: 2
      case .inBillingRetryPeriod: 3
      case .inGracePeriod: 4
      case .revoked: 5
      case .unrecognized(let value): value
      }
    }

    public var localizedDescription: String {
      switch self {
      case .subscribed: "Subscribed"
      case .expired: "Expired"
      case .inBillingRetryPeriod: "In Billing Retry Period"
      case .inGracePeriod: "In Grace Period"
      case .revoked: "Revoked"
      case .unrecognized(let value): "Unknown State \(value)"
      }
    }
  }
}
