import Shared
import Wire

extension WorldEvent: Codable {
  private enum Kind: String, Codable {
    case created, accountOpened, clockMoved, timeRateChanged, habitsChanged, interruptionChanged, resetStarted,
      resetDone
    case madeShareable, notificationURLChanged
  }

  private enum Key: String, CodingKey {
    case kind, settings, profile, to, timeRate, habits, at, productId, on, urlOf, endpoint
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .created: self = .created(try container.decode(CreateWorld.self, forKey: .settings))
    case .accountOpened: self = .accountOpened(try container.decode(AccountProfile.self, forKey: .profile))
    case .clockMoved: self = .clockMoved(to: try container.decode(StoreTime.self, forKey: .to))
    case .resetStarted: self = .resetStarted(at: try container.decode(StoreTime.self, forKey: .at))
    case .resetDone: self = .resetDone
    case .interruptionChanged: self = .interruptionChanged(on: try container.decode(Bool.self, forKey: .on))
    case .madeShareable: self = .madeShareable(productId: try container.decode(String.self, forKey: .productId))
    case .timeRateChanged: self = .timeRateChanged(try container.decode(TimeRate.self, forKey: .timeRate))
    case .notificationURLChanged:
      self = .notificationURLChanged(
        try container.decode(NotificationURLs.Kind.self, forKey: .urlOf),
        try container.decodeIfPresent(NotificationEndpoint.self, forKey: .endpoint))
    case .habitsChanged: self = .habitsChanged(try container.decode(Habits.self, forKey: .habits))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .created(let settings):
      try container.encode(Kind.created, forKey: .kind)
      try container.encode(settings, forKey: .settings)
    case .accountOpened(let profile):
      try container.encode(Kind.accountOpened, forKey: .kind)
      try container.encode(profile, forKey: .profile)
    case .clockMoved(let time):
      try container.encode(Kind.clockMoved, forKey: .kind)
      try container.encode(time, forKey: .to)
    case .interruptionChanged(let on):
      try container.encode(Kind.interruptionChanged, forKey: .kind)
      try container.encode(on, forKey: .on)
    case .timeRateChanged(let rate):
      try container.encode(Kind.timeRateChanged, forKey: .kind)
      try container.encode(rate, forKey: .timeRate)
    case .notificationURLChanged(let kind, let endpoint):
      try container.encode(Kind.notificationURLChanged, forKey: .kind)
      try container.encode(kind, forKey: .urlOf)
      try container.encodeIfPresent(endpoint, forKey: .endpoint)
    case .habitsChanged(let habits):
      try container.encode(Kind.habitsChanged, forKey: .kind)
      try container.encode(habits, forKey: .habits)
    case .resetStarted(let time):
      try container.encode(Kind.resetStarted, forKey: .kind)
      try container.encode(time, forKey: .at)
    case .madeShareable(let productId):
      try container.encode(Kind.madeShareable, forKey: .kind)
      try container.encode(productId, forKey: .productId)
    case .resetDone: try container.encode(Kind.resetDone, forKey: .kind)
    }
  }
}
