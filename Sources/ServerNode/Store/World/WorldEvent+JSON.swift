import Shared
import Wire

extension WorldEvent: Codable {
  private enum Kind: String, Codable {
    case created, accountOpened, clockMoved, timeRateChanged, habitsChanged, interruptionChanged, resetStarted,
      resetDone
    case madeShareable, extensionStarted, extensionAnswered, clockReleased, settingsChanged, notificationURLChanged
  }

  private enum Key: String, CodingKey {
    case kind, settings, profile, to, timeRate, habits, at, productId, on, order, answer, change
    case urlOf, endpoint
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .created: self = .created(try container.decode(CreateWorld.self, forKey: .settings))
    case .accountOpened: self = .accountOpened(try container.decode(AccountProfile.self, forKey: .profile))
    case .clockMoved: self = .clockMoved(to: try container.decode(StoreTime.self, forKey: .to))
    case .resetStarted: self = .resetStarted(at: try container.decode(StoreTime.self, forKey: .at))
    case .resetDone: self = .resetDone
    case .clockReleased: self = .clockReleased
    case .settingsChanged: self = .settingsChanged(try container.decode(ChangeWorld.self, forKey: .change))
    case .interruptionChanged: self = .interruptionChanged(on: try container.decode(Bool.self, forKey: .on))
    case .extensionStarted:
      self = .extensionStarted(
        try container.decode(ExtendAllSubscriptions.self, forKey: .order),
        at: try container.decode(StoreTime.self, forKey: .at))
    case .extensionAnswered:
      self = .extensionAnswered(try container.decode(ExtensionAnswer.self, forKey: .answer))
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
    case .extensionStarted(let order, let time):
      try container.encode(Kind.extensionStarted, forKey: .kind)
      try container.encode(order, forKey: .order)
      try container.encode(time, forKey: .at)
    case .extensionAnswered(let answer):
      try container.encode(Kind.extensionAnswered, forKey: .kind)
      try container.encode(answer, forKey: .answer)
    case .resetDone: try container.encode(Kind.resetDone, forKey: .kind)
    case .clockReleased: try container.encode(Kind.clockReleased, forKey: .kind)
    case .settingsChanged(let change):
      try container.encode(Kind.settingsChanged, forKey: .kind)
      try container.encode(change, forKey: .change)
    }
  }
}
