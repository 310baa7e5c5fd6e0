package import Wire

/// How a scenario went, and what the fleet looked like at the end.
package struct ScenarioOutcome: Sendable {
  /// The setting up first; steps after a failed one are missing unless the runner kept going.
  package var steps: [StepOutcome]
  /// The last word of each device that could be asked.
  package var reports: [String: DeviceReport] = [:]
  /// What is true of each account whose journal could be read.
  package var truths: [String: JournalTruth] = [:]
  package var agreement: Agreement
  /// Why the fleet could not be looked at in the end.
  package var checkFailure: String?

  package var failures: [StepOutcome] { steps.filter { $0.failure != nil } }

  package var ledgerProblems: [String] {
    truths.sorted { $0.key < $1.key }.flatMap { account, truth in truth.problems.map { "\(account): \($0)" } }
  }

  package var passed: Bool {
    failures.isEmpty && checkFailure == nil && agreement.disagreeing.isEmpty && ledgerProblems.isEmpty
  }
}
