import Fleet
import Foundation
import Wire

/// The verbs that act on devices.
enum DeviceVerbs {
  static let all =
    [launch, kill, offline, online, hold, release, skew, signIn, signOut, restore, tamper, inspect] + NoticeVerbs.all

  private static let devices = Operand("DEVICE", .oneOrMore, help: "the devices' names")

  static let launch = verb("launch", "start the app on a device") { fleet, device in
    _ = try await fleet.ask(LaunchDevice(), of: .device, device)
    return "launched"
  }
  static let kill = verb("kill", "end the app on a device at once") { fleet, device in
    let wasOff = try await fleet.ask(InspectDevice(), of: .device, device).incarnation == nil
    _ = try await fleet.ask(KillDevice(), of: .device, device)
    return wasOff ? "is off already" : "killed"
  }
  static let offline = verb("offline", "put a device into airplane mode") { fleet, device in
    _ = try await fleet.ask(SetOnline(online: false), of: .device, device)
    return "offline"
  }
  static let online = verb("online", "take a device out of airplane mode") { fleet, device in
    _ = try await fleet.ask(SetOnline(online: true), of: .device, device)
    return "online"
  }
  static let hold = verb("hold", "hold back the app's calls of finish(), so that a kill can fall in between") {
    _ = try await $0.ask(HoldGate(gate: .finish, held: true), of: .device, $1)
    return "holds back finish()"
  }
  static let release = verb("release", "let go what 'device hold' holds back") {
    _ = try await $0.ask(HoldGate(gate: .finish, held: false), of: .device, $1)
    return "finishes again"
  }
  static let signOut = verb("sign-out", "sign the user of the app out") {
    _ = try await $0.ask(SignInUser(appAccountToken: nil), of: .device, $1)
    return "signed out"
  }
  static let restore = Command(
    name: "device restore", summary: "tap the restore button", operands: [devices],
    options: [VerbOptions.noWait] + FleetOptions.all,
    examples: [
      .init("storefleet device restore device-1", "says what came of it"),
      .init("storefleet device restore device-1 device-2 --no-wait", "a tap on each"),
    ]
  ) { arguments in
    let tap = TapRestore(wait: arguments.has(VerbOptions.noWait) ? false : nil)
    return try await FleetOptions.with(arguments) { fleet in
      try await Outcomes.each(arguments.operands) { device in
        let reply = try await fleet.ask(tap, of: .device, device)
        guard reply.outcome != "failed" else {
          throw CommandFailure("the restore failed: \(reply.message ?? "the app does not say why")")
        }
        return reply.outcome == "nothingToRestore" ? "nothing to restore" : reply.outcome
      }
    }
  }

  private static func verb(
    _ verb: String, _ summary: String, _ body: @escaping @Sendable (RunningFleet, String) async throws -> String
  ) -> Command {
    Command(
      name: "device \(verb)", summary: summary, operands: [devices], options: FleetOptions.all,
      examples: [
        .init("storefleet device \(verb) device-1", summary),
        .init("storefleet device \(verb) device-1 device-2", "all are tried, and each says how it went"),
      ]
    ) { arguments in
      try await FleetOptions.with(arguments) { fleet in
        try await Outcomes.each(arguments.operands) { try await body(fleet, $0) }
      }
    }
  }

  // MARK: With more to say

  private static let user = Option(
    "user", value: "NAME|TOKEN", isRequired: true,
    help: "an appAccountToken (a UUID), or any name: the same name is the same token")

  static let signIn = Command(
    name: "device sign-in", summary: "sign a user in to the app: purchases carry the user's token",
    operands: [devices], options: [user] + FleetOptions.all,
    examples: [.init("storefleet device sign-in device-1 --user ann", "the token is made of the name, always the same")]
  ) { arguments in
    let token = try VerbOptions.token(try arguments.required(user))
    return try await FleetOptions.with(arguments) { fleet in
      try await Outcomes.each(arguments.operands) { device in
        _ = try await fleet.ask(SignInUser(appAccountToken: token), of: .device, device)
        return "signed in with the token \(token.uuidString.lowercased())"
      }
    }
  }

  private static let behind = Option(flag: "behind", help: "the phone's clock is behind, not ahead")

  static let skew = Command(
    name: "device skew", summary: "set a phone's clock ahead of the world's: what its app reads in Date()",
    operands: [
      Operand("DEVICE", help: "the device's name"),
      Operand(
        "DURATION", ifNegative: "say '--behind' for a clock that is behind",
        help: "such as 90s, 2h or 400d; 0 sets it right"),
    ],
    options: [behind] + FleetOptions.all,
    examples: [
      .init("storefleet device skew device-1 2h", "its user has set the clock two hours ahead"),
      .init("storefleet device skew device-1 400d --behind", "more than a year behind; works for devices with --app"),
    ]
  ) { arguments in
    let (device, text) = (arguments.operands[0], arguments.operands[1])
    let duration: Duration
    do throws(DurationText.Malformed) { duration = try DurationText.parse(text) } catch {
      throw UsageError("\(error)")
    }
    let skew = arguments.has(behind) ? .zero - duration : duration
    return try await FleetOptions.with(arguments) { fleet in
      try await Outcomes.each([device]) { device in
        _ = try await fleet.ask(SetSkew(milliseconds: skew.wholeMilliseconds), of: .device, device)
        return skew == .zero ? "its clock is right" : "its clock is \(text) \(skew < .zero ? "behind" : "ahead")"
      }
    }
  }

  private static let fault = Option(
    "fault", value: "FAULT", default: TamperCopies.Fault.tampered.rawValue,
    help: TamperCopies.Fault.allCases.map(\.rawValue).joined(separator: ", "))
  private static let count = Option("count", value: "N", default: "1", help: "how many copies, 1 to 1000")

  static let tamper = Command(
    name: "device tamper", summary: "spoil the next signed copies that a device gets", operands: [devices],
    options: [fault, count] + FleetOptions.all,
    examples: [.init("storefleet device tamper device-1 --fault foreignRoot", "the app must not believe the next one")]
  ) { arguments in
    let word = try arguments.required(fault)
    guard let fault = TamperCopies.Fault(rawValue: word) else {
      let names = TamperCopies.Fault.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("option '--fault' is '\(word)': expected \(names)")
    }
    let copies = try arguments.integer(count, in: 1...1_000) ?? 1
    return try await FleetOptions.with(arguments) { fleet in
      try await Outcomes.each(arguments.operands) { device in
        _ = try await fleet.ask(TamperCopies(fault: fault, count: copies), of: .device, device)
        return "the next \(copies == 1 ? "copy" : "\(copies) copies"): \(fault.rawValue)"
      }
    }
  }

  static let inspect = Command(
    name: "device inspect", summary: "tell where a device is and what its app shows",
    operands: [Operand("DEVICE", help: "the device's name")], options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet device inspect device-1 --json", "everything that the device says of itself")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let report = try await fleet.ask(InspectDevice(), of: .device, arguments.operands[0])
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: report)
      } else {
        DeviceText.lines(report).forEach { print($0) }
      }
      return .ok
    }
  }
}
