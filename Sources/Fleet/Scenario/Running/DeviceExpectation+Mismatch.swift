import Shared
import Wire

extension DeviceExpectation {
  /// What of this is not so, a sentence each; empty when all holds.
  func mismatches(_ report: DeviceReport, productId: (TransactionID) -> String?) -> [String] {
    var found: [String] = []
    let device = report.device
    if report.incarnation == nil, needsRunningApp { return ["\(device): the app does not run"] }
    if let entitlements {
      let believed = Set(report.screen?.entitled ?? [])
      if report.screen == nil {
        found.append("\(device) shows nothing yet")
      } else if believed != Set(entitlements) {
        let (shown, wanted) = (DeviceExpectation.list(believed), DeviceExpectation.list(entitlements))
        found.append("\(device) may use \(shown), not \(wanted)")
      }
    }
    let shown = report.screen?.access ?? .unknown
    if let access, access != shown {
      found.append("\(device) shows \(shown.rawValue), not \(access.rawValue)")
    }
    if let phase, phase != report.screen?.phase {
      found.append("\(device) shows the phase \(report.screen?.phase ?? "none"), not \(phase)")
    }
    if let waitsAt, report.faults?.gates.contains(where: { $0.gate == waitsAt && !$0.waiting.isEmpty }) != true {
      found.append("nothing of \(device) waits at '\(waitsAt.rawValue)'")
    }
    if let restore, restore != report.screen?.restore {
      found.append(
        "\(device) shows \(report.screen?.restore.map { "the restore as \($0)" } ?? "no restore"), not \(restore)")
    }
    return found + updateMismatches(report) + unfinishedMismatches(report, productId: productId)
  }

  /// What the device holds unfinished is known without the app.
  private var needsRunningApp: Bool {
    entitlements != nil || access != nil || !updates.isEmpty || noUpdates || phase != nil || waitsAt != nil
      || restore != nil
  }

  private func updateMismatches(_ report: DeviceReport) -> [String] {
    let seen = report.updates.map { update in
      update.productId + (update.revoked ? " revoked" : "") + (update.unverified.map { " (\($0))" } ?? "")
    }
    if noUpdates, !seen.isEmpty {
      return ["\(report.device) saw \(seen.joined(separator: ", ")), where no update was expected"]
    }
    return updates.compactMap { wanted in
      if report.updates.contains(where: { $0.productId == wanted.productId && $0.revoked == wanted.revoked }) {
        return nil
      }
      let missing = "\(wanted.productId)\(wanted.revoked ? " revoked" : "")"
      return seen.isEmpty
        ? "\(report.device) saw no update at all, where \(missing) was expected"
        : "\(report.device) saw \(seen.joined(separator: ", ")), but not \(missing)"
    }
  }

  private func unfinishedMismatches(_ report: DeviceReport, productId: (TransactionID) -> String?) -> [String] {
    let held = report.unfinished.map { productId($0) ?? "#\($0)" }.sorted()
    switch unfinished {
    case .count(let count) where count != held.count:
      return ["\(report.device) holds \(held.count) unfinished (\(DeviceExpectation.list(held))), not \(count)"]
    case .products(let products) where products.sorted() != held:
      return [
        "\(report.device) holds \(DeviceExpectation.list(held)) unfinished, not \(DeviceExpectation.list(products))"
      ]
    default: return []
    }
  }

  static func list(_ names: some Collection<String>) -> String {
    names.isEmpty ? "nothing" : names.sorted().joined(separator: ", ")
  }
}
