import Fleet
import Foundation
import Shared
import Wire

/// The verbs that act on a running fleet, and the first questions to it.
enum VerbCommands {
  static let all: [Command] = [devices, buy, refund, clockAdvance, launch, kill, offline, online]

  private static let on = Option("on", value: "DEVICE", help: "the device where it is tapped")
  private static let account = Option("account", value: "ACCOUNT", help: "who pays, or gets the money back")

  static let devices = Command(
    name: "devices", summary: "list the devices of a running fleet", options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet devices", "a table of the devices and what their apps show")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let entries = try await fleet.askWorld(ListDevices()).devices
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: entries)
      } else {
        DeviceTable.lines(entries).forEach { Swift.print($0) }
      }
      return .ok
    }
  }

  static let buy = Command(
    name: "buy", summary: "tap the buy button on a device, or buy in the App Store itself",
    operands: [Operand("PRODUCT", help: "the product's id")],
    options: [on, account] + FleetOptions.all,
    examples: [
      .init("storefleet buy com.example.app.coins --on device-1", "the app on device-1 buys it"),
      .init("storefleet buy com.example.app.yearly --account account-2", "bought outside of any app"),
    ]
  ) { arguments in
    guard arguments.has(on) != arguments.has(account) else {
      throw UsageError("say where: either --on DEVICE or --account ACCOUNT")
    }
    return try await FleetOptions.with(arguments) { fleet in
      let product = arguments.operands[0]
      switch (arguments.value(on), arguments.value(account)) {
      case (let device?, nil):
        let reply = try await fleet.ask(TapBuy(productId: product), of: .device, device)
        Swift.print("\(device): \(reply.phase)\(reply.message.map { ": \($0)" } ?? "")")
        return reply.phase == "failed" ? .failed : .ok
      case (nil, let account?):
        let reply = try await fleet.ask(Purchase(productId: product), of: .account, account)
        Swift.print("\(account): \(reply.outcome.words)")
        return .ok
      default: throw UsageError("say where: either --on DEVICE or --account ACCOUNT")
      }
    }
  }

  static let refund = Command(
    name: "refund", summary: "give an account its money back for a product",
    operands: [Operand("PRODUCT", help: "the product's id; its newest transaction is meant")],
    options: [account] + FleetOptions.all,
    examples: [
      .init("storefleet refund com.example.app.lifetime --account account-1", "takes the access away everywhere")
    ]
  ) { arguments in
    let account = try arguments.required(account)
    return try await FleetOptions.with(arguments) { fleet in
      let position = try await fleet.ask(Refund(productId: arguments.operands[0]), of: .account, account)
      Swift.print("\(account): refunded (event \(position.sequence))")
      return .ok
    }
  }

  static let clockAdvance = Command(
    name: "clock advance", summary: "move a manual clock; every renewal on the way is played",
    operands: [Operand("DURATION", help: "such as 90s, 12h or 31d, or 'next' for the next event")],
    options: FleetOptions.all,
    examples: [
      .init("storefleet clock advance 31d", "a month and a day later"),
      .init("storefleet clock advance next", "to the next renewal"),
    ]
  ) { arguments in
    let text = arguments.operands[0]
    let target: AdvanceClock.Target
    if text == "next" {
      target = .nextEvent
    } else {
      do { target = .by(milliseconds: Int64(try DurationText.parse(text) / .milliseconds(1))) } catch {
        throw UsageError("\(error)")
      }
    }
    return try await FleetOptions.with(arguments) { fleet in
      Swift.print("The clock stands at \(try await fleet.askWorld(AdvanceClock(target)).now).")
      return .ok
    }
  }

  static let launch = deviceCommand("launch", "launched", "start the app on a device", LaunchDevice())
  static let kill = deviceCommand("kill", "killed", "end the app on a device at once", KillDevice())
  static let offline = deviceCommand("offline", "offline", "put a device into airplane mode", SetOnline(online: false))
  static let online = deviceCommand("online", "online", "take a device out of airplane mode", SetOnline(online: true))

  private static func deviceCommand(
    _ verb: String, _ done: String, _ summary: String, _ request: some Request & Sendable
  ) -> Command {
    Command(
      name: "device \(verb)", summary: summary,
      operands: [Operand("DEVICE", .oneOrMore, help: "the devices' names")], options: FleetOptions.all,
      examples: [.init("storefleet device \(verb) device-1", summary)]
    ) { arguments in
      try await FleetOptions.with(arguments) { fleet in
        for device in arguments.operands {
          _ = try await fleet.ask(request, of: .device, device)
          Swift.print("\(device): \(done)")
        }
        return .ok
      }
    }
  }
}

/// The devices of a fleet as a table.
enum DeviceTable {
  static func lines(_ entries: [DeviceEntry]) -> [String] {
    var table = Table(
      ["device", "account", "node", "state", "access", "may use", "unfinished", "at"].map { .init($0) })
    for entry in entries {
      let report = entry.report
      let state = report.map { $0.incarnation == nil ? "off" : $0.online ? "online" : "offline" } ?? "off"
      let entitled = report?.screen?.entitled ?? []
      table.addRow([
        entry.device, entry.account, entry.node, state, report?.screen?.access.rawValue ?? "–",
        entitled.isEmpty ? "–" : entitled.joined(separator: ", "), "\(report?.unfinished.count ?? 0)",
        "\(report?.sequence ?? 0)/\(entry.position.sequence)",
      ])
    }
    return table.lines
  }
}

extension Purchase.Reply.Outcome {
  fileprivate var words: String {
    switch self {
    case .purchased(let id): "purchased, transaction \(id)"
    case .existing(let id): "owned already, transaction \(id)"
    case .pending: "waits for the family organiser"
    }
  }
}
