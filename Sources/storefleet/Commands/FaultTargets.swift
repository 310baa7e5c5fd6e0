import Fleet
import Wire

/// Whom the verbs that hold up, refuse or break something are for: devices, or all of the world.
enum FaultTargets {
  static let devices = Operand("DEVICE", .any, help: "the devices' names; without one, every device of the world")

  /// Tells devices, or all of them when none is named, and prints what each says or one line for all.
  static func tell<R: Request>(
    _ request: R, _ devices: [String], _ arguments: Arguments, done: String
  ) async throws -> ExitCode where R.Reply == DeviceReport {
    try await FleetOptions.with(arguments) { fleet in
      guard !devices.isEmpty else { return try await tellAll(request, arguments, done, fleet) }
      guard arguments.has(FleetOptions.json) else {
        return try await Outcomes.each(devices) { device in
          summary(try await fleet.ask(request, of: .device, device), done)
        }
      }
      var reports: [DeviceReport] = []
      for device in devices { reports.append(try await fleet.ask(request, of: .device, device)) }
      try FleetOptions.print(json: reports)
      return .ok
    }
  }

  static func tellAll(
    _ request: some Request, _ arguments: Arguments, _ done: String, _ fleet: RunningFleet
  ) async throws -> ExitCode {
    let told = try await fleet.askWorld(AllDevices(request))
    if arguments.has(FleetOptions.json) {
      try FleetOptions.print(json: told)
    } else if told.devices > 0 || told.failure == nil {
      print("\(counted(told.devices, "device")): \(done)")
    }
    guard let failure = told.failure else { return .ok }
    StandardError.print(failure)
    return .failed
  }

  private static func summary(_ report: DeviceReport, _ done: String) -> String {
    let waiting = report.faults?.gates.flatMap(\.waiting) ?? []
    return waiting.isEmpty ? done : "\(done); waiting: \(waiting.joined(separator: ", "))"
  }
}

/// What tests have done to a device, in words.
enum FaultText {
  static func lines(_ faults: DeviceFaults) -> [String] {
    var lines = faults.gates.map { gate in
      "held: \(gate.gate.rawValue)"
        + (gate.waiting.isEmpty ? "" : ", where \(gate.waiting.joined(separator: ", ")) waits")
    }
    lines += faults.errors.map { error in
      "fails: \(error.api.rawValue) with \(error.failure?.name ?? "nothing")"
        + (error.times.map { ", \(counted($0, "time")) more" } ?? "")
    }
    if let network = faults.network { lines.append("network: \(text(network))") }
    if !faults.purchasesAllowed { lines.append("purchases are not allowed") }
    if faults.interruptsPurchases { lines.append("purchases are interrupted") }
    return lines
  }

  static func text(_ faults: NetworkFaults) -> String {
    var parts: [String] = []
    if let latency = faults.latency {
      parts.append(latency.from == latency.to ? "\(latency.to) ms late" : "\(latency.from) to \(latency.to) ms late")
    }
    if let events = faults.events {
      let shares = [
        ("drop", events.drop), ("duplicate", events.duplicate), ("delay", events.delay), ("reorder", events.reorder),
      ]
      parts.append("events " + words(shares, events.next))
    }
    if let requests = faults.requests {
      let shares = [("drop", requests.drop), ("drop replies", requests.dropReplies)]
      parts.append("requests " + words(shares, requests.next))
    }
    if let blocked = faults.blocked { parts.append("no \(blocked.rawValue)") }
    return parts.isEmpty ? "good" : parts.joined(separator: "; ")
  }

  private static func words(_ shares: [(String, Int)], _ next: Int?) -> String {
    shares.filter { $0.1 > 0 }.map { "\($0.0) \($0.1) %" }.joined(separator: ", ")
      + (next.map { " (the next \($0))" } ?? "")
  }
}
