import Fleet
import Shared
import Wire

/// `storefleet habits`: lists the habits a world can have, or changes those of a running one.
enum HabitCommands {
  static let all = [habits]

  private static let here = Option(flag: "here", help: "with the values of the running world")

  private struct Line: Encodable {
    var name: String
    var meaning: String
    var source: String
    var documented: HabitValue
    var field: HabitValue
    var xcode: HabitValue
    var here: HabitValue?
  }

  static let habits = Command(
    name: "habits", summary: "list what a world may do differently, or change it in a running one",
    operands: [
      Operand(
        "CHANGE", .any,
        help: "a habit and its value (on, off or a number), a profile (documented, field, xcode), or a list of these")
    ],
    options: [here, FleetOptions.json] + FleetOptions.all,
    examples: [
      .init("storefleet habits", "every habit, its value in each profile, and where it was seen"),
      .init("storefleet habits coldStartEmpty on", "changes one; the phones know it at once"),
      .init("storefleet habits field,lateListing=800", "what developers report, with one value of your own"),
      .init("storefleet habits --here", "what holds in the running world"),
    ]
  ) { arguments in
    guard !arguments.operands.isEmpty else { return try await list(arguments) }
    let change = try change(arguments.operands)
    return try await FleetOptions.with(arguments) { fleet in
      _ = try await fleet.askWorld(SetHabits(change))
      print("Habits of world '\(fleet.world)': \(change).")
      return .ok
    }
  }

  private static func change(_ words: [String]) throws(UsageError) -> HabitChange {
    guard words.count <= 2 else {
      throw UsageError("say one habit and its value, or a list such as field,coldStartEmpty=off")
    }
    do throws(HabitError) {
      guard words.count == 2 else { return try HabitChange(parsing: words[0]) }
      var change = HabitChange()
      try change.set(words[0], toText: words[1])
      return change
    } catch {
      throw UsageError(error.description)
    }
  }

  private static func list(_ arguments: Arguments) async throws -> ExitCode {
    guard arguments.has(here) else {
      try show(nil, arguments)
      return .ok
    }
    return try await FleetOptions.with(arguments) { fleet in
      try show(try await fleet.askWorld(DescribeWorld()).habits ?? Habits(), arguments)
      return .ok
    }
  }

  private static func show(_ habits: Habits?, _ arguments: Arguments) throws {
    let lines = Habit.all.map { habit in
      Line(
        name: habit.name, meaning: habit.meaning, source: habit.source, documented: habit.value(in: .documented),
        field: habit.value(in: .field), xcode: habit.value(in: .xcode), here: habits.map(habit.value(in:)))
    }
    if arguments.has(FleetOptions.json) { return try FleetOptions.print(json: lines) }
    let columns = ["habit"] + (habits == nil ? [] : ["here"]) + ["documented", "field", "xcode", "meaning", "source"]
    var table = Table(columns.map { .init($0) })
    for line in lines {
      table.addRow(
        [line.name] + (line.here.map { [$0.description] } ?? [])
          + [line.documented, line.field, line.xcode].map(\.description) + [line.meaning, line.source])
    }
    table.lines(fitting: Terminal.width).forEach { print($0) }
  }
}
