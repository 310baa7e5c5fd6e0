import Foundation
import Shared
import Testing

@Suite struct HabitTests {
  @Test func everyHabitIsRegisteredOnceAndReadsWhereItWrites() {
    let stored = Mirror(reflecting: Habits()).children.compactMap(\.label)
    #expect(Habit.all.map(\.name).sorted() == stored.sorted())
    for habit in Habit.all {
      let value: HabitValue =
        if case .flag(let flag) = habit.value(in: .documented) { .flag(!flag) } else { .number(3) }
      let change = try? HabitChange(parsing: "\(habit.name)=\(value)")
      let changed = change?.applied(to: Habits()) ?? Habits()
      #expect(habit.value(in: changed) == value)
      let written = Mirror(reflecting: changed).children.first { $0.label == habit.name }
      #expect(written.map { "\($0.value)" } == (value == .number(3) ? "3" : value == .flag(true) ? "true" : "false"))
    }
  }

  @Test func profileDocumentedIsAFreshValueAndTheOthersAreNot() {
    #expect(Habits(.documented) == Habits())
    #expect(Habits(.field).lateListing == 1_000)
    #expect(Habits(.xcode).retryStillEntitled)
    #expect(!Habits(.field).retryStillEntitled)
  }

  @Test func missingAndUnknownFieldsReadAsDocumented() throws {
    func read(_ json: String) throws -> Habits { try JSONDecoder().decode(Habits.self, from: Data(json.utf8)) }
    #expect(try read("{}") == Habits())
    let habits = try read(#"{"coldStartEmpty":true,"ofTheFuture":{"a":1},"lateListing":-5,"deviceBoundJWS":"no"}"#)
    var expected = Habits()
    expected.coldStartEmpty = true
    #expect(habits == expected)
  }

  @Test(arguments: Habits.Profile.allCases) func writtenHabitsAreReadBack(profile: Habits.Profile) throws {
    let data = try JSONEncoder().encode(Habits(profile))
    #expect(try JSONDecoder().decode(Habits.self, from: data) == Habits(profile))
  }

  @Test func listBeginsWithAProfileAndGoesOnWithHabits() throws {
    let habits = try HabitChange(parsing: "field,coldStartEmpty=off,lateListing=800,bufferedReplay")
      .applied(to: Habits())
    var expected = Habits(.field)
    expected.coldStartEmpty = false
    expected.lateListing = 800
    expected.bufferedReplay = true
    #expect(habits == expected)
    let single = try HabitChange(parsing: "lateListing=5").applied(to: expected)
    #expect(single.bufferedReplay)
    #expect(single.lateListing == 5)
  }

  @Test func laterChangeReplacesWhatItNamesAndAProfileReplacesAll() throws {
    let first = try HabitChange(parsing: "field,lateListing=5")
    let second = try first.followed(by: HabitChange(parsing: "bufferedReplay"))
    #expect(second.description == "field,bufferedReplay=on,lateListing=5")
    #expect(try first.followed(by: HabitChange(parsing: "xcode")).description == "xcode")
  }

  @Test(
    arguments: [
      ("feild", "there is no habit or profile 'feild': did you mean 'field'?"),
      ("coldStartEmty=on", "there is no habit 'coldStartEmty': did you mean 'coldStartEmpty'?"),
      ("nonsense=1", "there is no habit 'nonsense': 'storefleet habits' lists them"),
      ("coldStartEmpty=maybe", "habit 'coldStartEmpty' is 'maybe': expected on or off"),
      ("lateListing=-1", "habit 'lateListing' is '-1': expected a whole number, 0 to 900000"),
      ("lateListing", "habit 'lateListing' needs a value: say lateListing=N, a whole number, 0 to 900000"),
      ("", "there is no habit or profile '': 'storefleet habits' lists them"),
    ])
  func mistakesAreOneSentence(text: String, message: String) {
    let error = #expect(throws: HabitError.self) { try HabitChange(parsing: text) }
    #expect(error?.description == message)
  }

  @Test func changeIsAnObjectOfAProfileAndHabits() throws {
    let json = #"{"coldStartEmpty":false,"lateListing":800,"profile":"field"}"#
    let change = try JSONDecoder().decode(HabitChange.self, from: Data(json.utf8))
    #expect(change.description == "field,coldStartEmpty=off,lateListing=800")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try String(decoding: encoder.encode(change), as: UTF8.self) == json)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(HabitChange.self, from: Data(#"{"coldStart":true}"#.utf8))
    }
  }

  @Test func everyHabitIsDocumentedWithItsValues() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/behaviour.md")
    let guide = try String(contentsOf: file, encoding: .utf8)
    for habit in Habit.all {
      let values = Habits.Profile.allCases.map { habit.value(in: $0).description }.joined(separator: " | ")
      let row = "| `\(habit.name)` | \(values) | \(habit.meaning) | \(habit.source) |"
      #expect(guide.contains(row), "docs/behaviour.md lacks: \(row)")
    }
  }
}
