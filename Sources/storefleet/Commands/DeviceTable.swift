import Fleet
import Shared
import Wire

/// The devices of a fleet as a table.
enum DeviceTable {
  static let command = Command(
    name: "devices", summary: "list the devices of a running fleet", options: [FleetOptions.json] + FleetOptions.all,
    examples: [.init("storefleet devices", "a table of the devices and what their apps show")]
  ) { arguments in
    try await FleetOptions.with(arguments) { fleet in
      let entries = try await fleet.askWorld(ListDevices()).devices
      if arguments.has(FleetOptions.json) {
        try FleetOptions.print(json: entries)
      } else {
        lines(entries).forEach { print($0) }
      }
      return .ok
    }
  }

  static func lines(_ entries: [DeviceEntry]) -> [String] {
    var table = Table(
      ["device", "account", "node", "state", "access", "may use", "unfinished", "at"].map { .init($0) })
    for entry in entries {
      let report = entry.report
      let entitled = report?.screen?.entitled ?? []
      table.addRow([
        entry.device, entry.account, entry.node, report.map(DeviceText.state) ?? "off",
        report?.screen?.access.rawValue ?? "–", entitled.isEmpty ? "–" : entitled.joined(separator: ", "),
        "\(report?.unfinished.count ?? 0)", "\(report?.sequence ?? 0)/\(entry.position.sequence)",
      ])
    }
    return table.lines(fitting: Terminal.width)
  }
}

/// What a device says of itself, in words.
enum DeviceText {
  static func state(_ report: DeviceReport) -> String {
    report.incarnation == nil ? "off" : report.online ? "online" : "offline"
  }

  static func lines(_ report: DeviceReport) -> [String] {
    let entitled = report.screen?.entitled ?? []
    let launch = report.incarnation.map { ", launch \($0)" } ?? ""
    var lines = [
      "\(report.device) of \(report.account): \(state(report))\(launch), has applied event \(report.sequence)",
      "its app shows: \(report.screen.map { "\($0.access.rawValue), purchase \($0.phase)" } ?? "nothing")",
      "may use, it believes: \(entitled.isEmpty ? "nothing" : entitled.joined(separator: ", "))",
      "unfinished: "
        + (report.unfinished.isEmpty ? "none" : report.unfinished.map(\.description).joined(separator: ", ")),
    ]
    lines += report.faults.map(FaultText.lines) ?? []
    for update in report.updates {
      let mark = (update.revoked ? " revoked" : "") + (update.unverified.map { " unverified: \($0)" } ?? "")
      lines.append("its listener saw: \(update.productId) \(update.transactionId)\(mark)")
    }
    return lines
  }
}
