import Foundation

/// The final table as rows of text; how wide the terminal is, and what to cut, is decided where it is printed.
package enum ReportTable {
  package static let headers = [
    "account", "family", "device", "state", "may use, says its listener", "true, and why", "updates seen", "unfinished",
  ]

  /// A row a device, in the order of accounts and then of the scenario.
  package static func rows(_ report: ScenarioReport, shortName: (String) -> String) -> [[String]] {
    let order = report.devices.enumerated().sorted {
      ($0.element.account, $0.offset) < ($1.element.account, $1.offset)
    }
    return order.map(\.element).map { device in
      let isWrong = device.verdict == .disagrees
      return [
        device.account, device.family ?? "–", device.device, device.state.rawValue,
        list(device.believes.map(shortName)) + (isWrong ? " ✗" : ""), reasons(device, shortName),
        updates(device, shortName), device.unfinished.isEmpty ? "–" : "\(device.unfinished.count)",
      ]
    }
  }

  private static func reasons(_ device: ScenarioReport.Device, _ shortName: (String) -> String) -> String {
    let reasons = device.reasons.map { "\(shortName($0.product)): \($0.why)" }
    return reasons.isEmpty ? "nothing bought" : reasons.joined(separator: "; ")
  }

  /// Repeated ones are counted: `yearly ×2, lifetime revoked`.
  private static func updates(_ device: ScenarioReport.Device, _ shortName: (String) -> String) -> String {
    var names: [String] = []
    var counts: [String: Int] = [:]
    for update in device.updates {
      let suffix = update.unverified != nil ? " unverified" : update.revoked ? " revoked" : ""
      let name = shortName(update.product) + suffix
      if counts[name] == nil { names.append(name) }
      counts[name, default: 0] += 1
    }
    return list(names.map { name in name + (counts[name].map { $0 > 1 ? " ×\($0)" : "" } ?? "") })
  }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "–" : names.joined(separator: ", ") }
}
