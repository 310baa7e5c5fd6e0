import Fleet
import Shared
import Wire

/// The verbs of a world's clock.
enum ClockVerbs {
  static let all = [advance, to, next, rate, show, settle]

  static let advance = Command(
    name: "clock advance", summary: "move a manual clock; every renewal on the way is played",
    operands: [
      Operand(
        "DURATION", ifNegative: "time only goes forward",
        help: "such as 90s, 12h or 31d, or 'next' for the next thing that is due")
    ],
    options: FleetOptions.all,
    examples: [
      .init("storefleet clock advance 31d", "a month and a day later"),
      .init("storefleet clock advance next", "to the next renewal, or whatever is due first"),
    ]
  ) { arguments in
    let text = arguments.operands[0]
    if text == "next" { return try await move(.nextEvent, arguments) }
    do {
      return try await move(.by(milliseconds: try DurationText.parse(text).wholeMilliseconds), arguments)
    } catch let error as DurationText.Malformed {
      throw UsageError("\(error)")
    }
  }

  static let to = Command(
    name: "clock to", summary: "move a manual clock to an instant",
    operands: [
      Operand(
        "INSTANT", ifNegative: "time only goes forward", help: "in UTC, such as 2026-03-01 or 2026-03-01T12:00:00Z")
    ],
    options: FleetOptions.all, examples: [.init("storefleet clock to 2027-01-01", "to the midnight of that day")]
  ) { arguments in
    let text = arguments.operands[0]
    guard let time = StoreTime(iso8601: text) else {
      throw UsageError("the clock cannot move to '\(text)': \(StoreTime.iso8601Rule)")
    }
    return try await move(.to(time), arguments)
  }

  static let next = Command(
    name: "clock next", summary: "move a manual clock to the next thing that is due", options: FleetOptions.all,
    examples: [.init("storefleet clock next", "plays the next renewal; exit code 1 when nothing is due any more")]
  ) { try await move(.nextEvent, $0) }

  /// One a line: together they are wider than a terminal.
  private static let rates = "one of:\n" + TimeRate.allCases.map { "          \($0.rawValue)" }.joined(separator: "\n")

  static let rate = Command(
    name: "clock rate", summary: "choose how long subscription periods last from now on",
    operands: [Operand("RATE", help: rates)],
    options: FleetOptions.all,
    examples: [.init("storefleet clock rate monthlyRenewalEveryFiveMinutes", "a month takes five minutes, as in tests")]
  ) { arguments in
    let rate = try WorldOptions.rate(arguments.operands[0])
    return try await FleetOptions.with(arguments) { fleet in
      _ = try await fleet.askWorld(SetTimeRate(rate))
      print("Periods that begin from now on last as \(rate.rawValue) says.")
      return .ok
    }
  }

  private struct Shown: Encodable {
    var now: String
    var clock: String
    var timeRate: String
  }

  static let show = Command(
    name: "clock show", summary: "tell what time it is in a world", options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet clock show", "its time, whether its clock is moved by you, and its rate")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let world = try await fleet.askWorld(DescribeWorld())
      let mode = if case .manual = world.clock { "manual" } else { "real" }
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(
          json: Shown(now: "\(world.now)", clock: mode, timeRate: world.timeRate.rawValue))
      } else {
        print("It is \(world.now). The clock is \(mode), the rate \(world.timeRate.rawValue).")
      }
      return .ok
    }
  }

  static let settle = Command(
    name: "settle", summary: "wait until no timer is due and every running online device is where its account is",
    options: FleetOptions.all,
    examples: [
      .init(
        "storefleet settle && storefleet devices",
        "what is shown is then the last word; exit code 1 names devices that nobody heard of")
    ]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let reply = try await PatientAsk.ask(Settle(), of: fleet) { fleet in
        SettleText.waiting(try await fleet.askWorld(ListDevices()).devices)
      }
      let isEmpty = try await fleet.askWorld(ListDevices()).devices.isEmpty
      print(SettleText.done(reply, hasDevices: !isEmpty))
      return reply.unheard == nil ? .ok : .failed
    }
  }

  // MARK: Moving

  private static func move(_ target: AdvanceClock.Target, _ arguments: Arguments) async throws -> ExitCode {
    try await FleetOptions.with(arguments) { fleet in
      let start = try await fleet.askWorld(DescribeWorld()).now
      let before = try await positions(in: fleet)
      let now: StoreTime
      do {
        now = try await PatientAsk.ask(AdvanceClock(target), of: fleet) { fleet in
          let count = events(in: try await positions(in: fleet), since: before)
          return "The jump is being played: \(counted(count, "event")) of accounts with devices so far."
        }.now
      } catch is CancellationError {
        StandardError.print("The jump goes on without this command: 'storefleet settle' waits for its end.")
        throw CancellationError()
      }
      if target == .nextEvent, now == start {
        print("Nothing is due: the clock stays at \(now).")
        return .failed
      }
      print("The clock stands at \(now). \(try await played(since: before, in: fleet))")
      return .ok
    }
  }

  private static func events(in positions: [String: UInt64], since before: [String: UInt64]) -> Int {
    positions.reduce(0) { $0 + Int($1.value) - Int(min($1.value, before[$1.key] ?? 0)) }
  }

  /// Where every account with a device is.
  private static func positions(in fleet: RunningFleet) async throws -> [String: UInt64] {
    let devices = try await fleet.askWorld(ListDevices()).devices
    return Dictionary(devices.map { ($0.account, $0.position.sequence) }, uniquingKeysWith: max)
  }

  /// Beyond this, reading the journals would take longer than the move.
  private static let mostAccounts = 64

  private static func played(since before: [String: UInt64], in fleet: RunningFleet) async throws -> String {
    let after = try await positions(in: fleet)
    let moved = after.filter { $0.value > before[$0.key] ?? 0 }
    let count = events(in: moved, since: before)
    guard count > 0 else {
      let isWhole = try await fleet.askWorld(ListAccounts()).accounts.allSatisfy { after[$0.account] != nil }
      return "Nothing happened on the way\(isWhole ? "" : " to accounts with a device")."
    }
    guard moved.count <= mostAccounts else { return "Played: \(counted(count, "event"))." }
    var names: [String: Int] = [:]
    for account in moved.keys {
      for entry in try await fleet.journal(of: account, after: before[account] ?? 0) {
        names[entry.name, default: 0] += 1
      }
    }
    let words = names.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
    return "Played: \(words.joined(separator: ", "))."
  }
}
