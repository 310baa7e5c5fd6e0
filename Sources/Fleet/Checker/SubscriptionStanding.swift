import Shared

/// Where a subscription stands by its dates and the clock.
enum SubscriptionStanding {
  case notBegun
  case running(until: StoreTime)
  case inGrace(until: StoreTime)
  case over(since: StoreTime)
  case revoked(Revocation)

  var isEntitled: Bool {
    switch self {
    case .running, .inGrace: true
    case .notBegun, .over, .revoked: false
    }
  }

  var isOver: Bool { if case .over = self { true } else { false } }

  /// The standing as the end of a sentence.
  var fact: String {
    switch self {
    case .notBegun: "has not begun"
    case .running(let end): "runs until \(end)"
    case .inGrace(let end): "is in its grace period until \(end)"
    case .over(let end): "ended on \(end)"
    case .revoked(let revocation): "was revoked on \(revocation.date)"
    }
  }

  /// What a status claims that these dates refute; nil when they fit together.
  func contradiction(of status: SubscriptionStatus) -> String? {
    switch (self, status) {
    case (.running, .subscribed), (.inGrace, .inGracePeriod), (.revoked, .revoked): nil
    case (.over, .expired), (.over, .inBillingRetryPeriod): nil
    case (_, .subscribed): "counts as subscribed"
    case (_, .expired): "counts as expired"
    case (_, .inBillingRetryPeriod): "counts as in billing retry"
    case (_, .inGracePeriod): "counts as in grace"
    case (_, .revoked): "counts as revoked"
    default: "has the unknown status \(status.rawValue)"
    }
  }
}
