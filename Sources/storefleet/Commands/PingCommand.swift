import Fleet
import Wire

/// `storefleet ping`: does a server node answer, and do devices? Made for health checks.
enum PingCommand {
  private static let timeout = Option(
    "timeout", value: "DURATION", default: "3s", help: "how long each answer may take")

  static let command = Command(
    name: "ping", summary: "check that a server node answers, and devices, if any are named",
    operands: [Operand("DEVICE", .any, help: "a device whose client node has to answer too")],
    options: [timeout] + FleetOptions.all,
    examples: [
      .init(
        "storefleet ping --connect tcp://127.0.0.1:5555", "exit code 0 when the server node answers, 3 when it does not"
      ),
      .init("storefleet ping phone", "also asks the client node that the phone lives on"),
    ]
  ) { arguments in
    let timeout = try arguments.duration(timeout) ?? .seconds(3)
    return try await FleetOptions.with(arguments, timeout: timeout) { fleet in
      print("\(fleet.server.node): answers")
      for device in arguments.operands {
        let report = try await fleet.connection.ask(
          InspectDevice(), of: try fleet.address(.device, device), timeout: timeout)
        print("\(device): answers, its app is \(report.incarnation == nil ? "not launched" : "launched")")
      }
      return .ok
    }
  }
}
