package import Wire

/// Whether each device's listener believes what its account's ledger says.
package struct Agreement: Sendable, Hashable {
  /// In the order of the devices given.
  package var verdicts: [DeviceVerdict]

  /// - Parameters:
  ///   - devices: each device with its account.
  ///   - reports: what each device says of itself; one that is missing is not checked.
  ///   - truths: by account.
  package init(
    devices: [(name: String, account: String)], reports: [String: DeviceReport], truths: [String: JournalTruth]
  ) {
    verdicts = devices.map { name, account in
      DeviceVerdict(
        device: name, account: account, finding: Agreement.finding(reports[name], truths[account]))
    }
  }

  private static func finding(_ report: DeviceReport?, _ truth: JournalTruth?) -> DeviceVerdict.Finding {
    guard let report else { return .notChecked(Agreement.notAsked) }
    guard let truth else { return .notChecked("its account's journal could not be read") }
    guard report.incarnation != nil else { return .notChecked("the app does not run") }
    guard report.online else { return .notChecked("offline") }
    let believed = Set(report.screen?.entitled ?? [])
    let entitled = Set(truth.entitled)
    let held = Set(report.unfinished)
    let unfinished = Set(truth.unfinished)
    if believed == entitled, held == unfinished { return .agrees }
    return .disagrees(
      DeviceVerdict.Disagreement(
        missing: entitled.subtracting(believed).sorted(), extra: believed.subtracting(entitled).sorted(),
        missingUnfinished: unfinished.subtracting(held).sorted(),
        extraUnfinished: held.subtracting(unfinished).sorted(), hasShown: report.screen != nil))
  }

  private static let notAsked = "it could not be asked"

  /// Whether there are devices, and not one of them could be asked: then nothing is known.
  package var isBlind: Bool {
    !verdicts.isEmpty
      && verdicts.allSatisfy { if case .notChecked(Agreement.notAsked) = $0.finding { true } else { false } }
  }

  package var disagreeing: [DeviceVerdict] { verdicts.filter { $0.disagreement != nil } }

  package var notChecked: [DeviceVerdict] {
    verdicts.filter { if case .notChecked = $0.finding { true } else { false } }
  }
}
