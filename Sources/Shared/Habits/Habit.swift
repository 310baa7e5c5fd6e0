/// One habit: its name, what it means, and what it is in each profile. The one place from which the command line, the
/// files that people write and the documentation take them.
package struct Habit: Sendable {
  package enum Place: Sendable {
    case flag(any WritableKeyPath<Habits, Bool> & Sendable)
    /// A number, with what is allowed.
    case number(any WritableKeyPath<Habits, Int64> & Sendable, ClosedRange<Int64>)
  }

  package let name: String
  /// What holds when it is on, or what the number counts; one line, for tables.
  package let meaning: String
  /// Where it was seen, in public.
  package let source: String
  package let place: Place
  private let field: HabitValue
  private let xcode: HabitValue

  init(
    _ name: String, _ path: any WritableKeyPath<Habits, Bool> & Sendable, field: Bool = false, xcode: Bool = false,
    _ meaning: String, source: String
  ) {
    self.name = name
    self.meaning = meaning
    self.source = source
    place = .flag(path)
    self.field = .flag(field)
    self.xcode = .flag(xcode)
  }

  init(
    _ name: String, _ path: any WritableKeyPath<Habits, Int64> & Sendable, in range: ClosedRange<Int64>,
    field: Int64, xcode: Int64, _ meaning: String, source: String
  ) {
    self.name = name
    self.meaning = meaning
    self.source = source
    place = .number(path, range)
    self.field = .number(field)
    self.xcode = .number(xcode)
  }

  package func value(in profile: Habits.Profile) -> HabitValue {
    switch profile {
    case .documented: value(in: Habits())
    case .field: field
    case .xcode: xcode
    }
  }

  package func value(in habits: Habits) -> HabitValue {
    switch place {
    case .flag(let path): .flag(habits[keyPath: path])
    case .number(let path, _): .number(habits[keyPath: path])
    }
  }

  /// What the habit's value may be, for a message.
  package var expected: String {
    switch place {
    case .flag: "on or off"
    case .number(_, let range): "a whole number, \(range.lowerBound) to \(range.upperBound)"
    }
  }

  /// Whether the habit can have this value.
  package func allows(_ value: HabitValue) -> Bool {
    switch (place, value) {
    case (.flag, .flag): true
    case (.number(_, let range), .number(let number)): range.contains(number)
    default: false
    }
  }

  /// Sets the habit; a value that it cannot have changes nothing.
  func write(_ value: HabitValue, to habits: inout Habits) {
    switch (place, value) {
    case (.flag(let path), .flag(let flag)): habits[keyPath: path] = flag
    case (.number(let path, let range), .number(let number)) where range.contains(number):
      habits[keyPath: path] = number
    default: break
    }
  }

  package static func named(_ name: String) -> Habit? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}
