/// Why a step failed.
package struct StepFailure: Error, Sendable, Hashable {
  /// One sentence.
  package var message: String
  /// What was there instead, a line each.
  package var seen: [String] = []
  /// The accounts whose last events help to understand it.
  package var accounts: [String] = []
  /// The last events of these accounts, oldest first.
  package var timeline: [TimelineLine] = []
}
