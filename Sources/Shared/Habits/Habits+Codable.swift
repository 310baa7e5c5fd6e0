/// An object of the habits that differ from `documented`. What is missing is as documented; names that this version does
/// not know are passed over, as are values that it cannot use.
extension Habits: Codable {
  package init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: HabitKey.self)
    for key in container.allKeys {
      guard let habit = Habit.named(key.stringValue), let value = try? container.decode(HabitValue.self, forKey: key)
      else { continue }
      habit.write(value, to: &self)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: HabitKey.self)
    let documented = Habits()
    for habit in Habit.all where habit.value(in: self) != habit.value(in: documented) {
      try container.encode(habit.value(in: self), forKey: HabitKey(stringValue: habit.name))
    }
  }
}

/// Habits are keys by their names.
struct HabitKey: CodingKey {
  let stringValue: String
  init(stringValue: String) { self.stringValue = stringValue }
  var intValue: Int? { nil }
  init?(intValue: Int) { nil }
}
