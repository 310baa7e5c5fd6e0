/// How one step went.
package struct StepOutcome: Sendable, Hashable {
  /// 0 is the setting up of the world.
  package var number: Int
  /// The line in the scenario's file; nil for the setting up.
  package var line: Int?
  /// What the step does, in words.
  package var text: String
  package var duration: Duration
  package var failure: StepFailure?
}
