/// Why words name no habits, in one sentence.
package struct HabitError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  static func unknown(_ name: String) -> HabitError {
    HabitError(description: "there is no habit \(quoted(name)): \(advice(name, Habit.all.map(\.name)))")
  }

  static func unknownProfile(_ name: String) -> HabitError {
    let profiles = Habits.Profile.allCases.map(\.rawValue)
    return HabitError(
      description: "there is no profile \(quoted(name)): expected \(profiles.joined(separator: ", "))")
  }

  /// Neither a profile nor a habit.
  static func unknownWord(_ word: String) -> HabitError {
    let words = Habits.Profile.allCases.map(\.rawValue) + Habit.all.map(\.name)
    return HabitError(description: "there is no habit or profile \(quoted(word)): \(advice(word, words))")
  }

  static func badValue(_ habit: Habit, _ value: String) -> HabitError {
    HabitError(description: "habit '\(habit.name)' is \(quoted(value)): expected \(habit.expected)")
  }

  static func noValue(_ habit: Habit) -> HabitError {
    HabitError(description: "habit '\(habit.name)' needs a value: say \(habit.name)=N, \(habit.expected)")
  }

  static func lateProfile(_ profile: String) -> HabitError {
    HabitError(description: "the profile '\(profile)' replaces every habit: put it first, and single habits behind it")
  }

  private static func quoted(_ text: String) -> String { "'\(text.prefix(100))'" }

  private static func advice(_ word: String, _ words: [String]) -> String {
    Spelling.closest(to: String(word.prefix(100)), among: words).map { "did you mean '\($0)'?" }
      ?? "'storefleet habits' lists them"
  }
}
