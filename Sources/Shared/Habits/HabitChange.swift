/// What somebody asks of a world's habits: a profile to begin with, and single habits. As JSON
/// `{"profile": "field", "coldStartEmpty": false}`; on the command line `field,coldStartEmpty=off`.
package struct HabitChange: Hashable, Sendable {
  /// Nil leaves what is not named as it is.
  package private(set) var profile: Habits.Profile?
  package private(set) var values: [String: HabitValue] = [:]

  package init(profile: Habits.Profile? = nil) { self.profile = profile }

  package var isEmpty: Bool { profile == nil && values.isEmpty }

  /// Adds a habit to the change; a later value replaces an earlier one.
  package mutating func set(_ name: String, to value: HabitValue) throws(HabitError) {
    guard let habit = Habit.named(name) else { throw HabitError.unknown(name) }
    guard habit.allows(value) else { throw HabitError.badValue(habit, value.description) }
    values[name] = value
  }

  package mutating func set(profile name: String) throws(HabitError) {
    guard let profile = Habits.Profile(rawValue: name) else { throw HabitError.unknownProfile(name) }
    self.profile = profile
  }

  /// This change, and then the other.
  package func followed(by other: HabitChange) -> HabitChange {
    if other.profile != nil { return other }
    var both = self
    both.values.merge(other.values) { $1 }
    return both
  }

  package func applied(to habits: Habits) -> Habits {
    var changed = profile.map { Habits($0) } ?? habits
    for (name, value) in values { Habit.named(name)?.write(value, to: &changed) }
    return changed
  }
}

extension HabitChange {
  /// Reads a list such as `field,coldStartEmpty=off,lateListing=800`: a profile first, if any; a name alone is on.
  package init(parsing text: String) throws(HabitError) {
    self.init()
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for (place, part) in parts.enumerated() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if pair.count == 2 {
        try set(pair[0], toText: pair[1])
      } else if let profile = Habits.Profile(rawValue: part) {
        guard place == 0 else { throw HabitError.lateProfile(part) }
        self.profile = profile
      } else {
        guard let habit = Habit.named(part) else { throw HabitError.unknownWord(part) }
        guard habit.allows(.flag(true)) else { throw HabitError.noValue(habit) }
        values[part] = .flag(true)
      }
    }
  }

  /// `on`, `off`, `true`, `false` or a whole number.
  package mutating func set(_ name: String, toText text: String) throws(HabitError) {
    guard let habit = Habit.named(name) else { throw HabitError.unknown(name) }
    let value: HabitValue? =
      switch text {
      case "on", "true": .flag(true)
      case "off", "false": .flag(false)
      default: Int64(text).map { .number($0) }
      }
    guard let value, habit.allows(value) else { throw HabitError.badValue(habit, text) }
    values[name] = value
  }
}

extension HabitChange: Codable {
  private static let profileKey = HabitKey(stringValue: "profile")

  package init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: HabitKey.self)
    for key in container.allKeys {
      do {
        if key.stringValue == HabitChange.profileKey.stringValue {
          try set(profile: try container.decode(String.self, forKey: key))
        } else {
          try set(key.stringValue, to: try container.decode(HabitValue.self, forKey: key))
        }
      } catch let error as HabitError {
        throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: error.description)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: HabitKey.self)
    if let profile { try container.encode(profile.rawValue, forKey: HabitChange.profileKey) }
    for (name, value) in values { try container.encode(value, forKey: HabitKey(stringValue: name)) }
  }
}

extension HabitChange: CustomStringConvertible {
  /// As the command line reads it.
  package var description: String {
    let words = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return ((profile.map { [$0.rawValue] } ?? []) + words).joined(separator: ",")
  }
}
