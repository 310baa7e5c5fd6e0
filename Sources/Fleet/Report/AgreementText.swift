import Shared

/// The checker's verdicts in words.
package struct AgreementText {
  private let shortName: (String) -> String

  package init(scenario: Scenario) { self.init(shortName: scenario.shortName) }

  /// - Parameter shortName: what a product is called.
  package init(shortName: @escaping (String) -> String = { $0 }) { self.shortName = shortName }

  /// The last line of a report.
  package func summary(_ agreement: Agreement) -> String {
    let disagreeing = agreement.disagreeing
    let notChecked = agreement.notChecked
    let checked = agreement.verdicts.count - notChecked.count
    var line: String
    if !disagreeing.isEmpty {
      line =
        "\(disagreeing.count) of \(devices(checked)) \(disagreeing.count == 1 ? "disagrees" : "disagree") "
        + "with the ledger: \(disagreeing.map(self.line).joined(separator: "; "))."
    } else if checked == 0 {
      line = "No device could be compared with the ledger."
    } else if checked == 1 {
      line = "The only device checked agrees with the ledger."
    } else {
      line = "All \(checked) \(notChecked.isEmpty ? "" : "checked ")devices agree with the ledger."
    }
    if !notChecked.isEmpty {
      line += " Not checked: \(notChecked.map { "\($0.device) (\(reason($0)))" }.joined(separator: ", "))."
    }
    return line
  }

  /// Such as `bob-pad (lacks yearly; believes lifetime)`.
  package func line(_ verdict: DeviceVerdict) -> String {
    guard let found = verdict.disagreement else { return verdict.device }
    var parts: [String] = []
    if !found.hasShown { parts.append("shows nothing yet") }
    if !found.missing.isEmpty { parts.append("lacks \(names(found.missing))") }
    if !found.extra.isEmpty { parts.append("believes \(names(found.extra))") }
    if !found.missingUnfinished.isEmpty { parts.append("does not hold unfinished \(ids(found.missingUnfinished))") }
    if !found.extraUnfinished.isEmpty { parts.append("still holds unfinished \(ids(found.extraUnfinished))") }
    return "\(verdict.device) (\(parts.joined(separator: "; ")))"
  }

  private func reason(_ verdict: DeviceVerdict) -> String {
    if case .notChecked(let reason) = verdict.finding { reason } else { "" }
  }

  private func devices(_ count: Int) -> String { "\(count) \(count == 1 ? "device" : "devices")" }

  private func names(_ products: [String]) -> String { products.map(shortName).joined(separator: ", ") }

  private func ids(_ transactions: [TransactionID]) -> String {
    transactions.map { "#\($0)" }.joined(separator: ", ")
  }
}
