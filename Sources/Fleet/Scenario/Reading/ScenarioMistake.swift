package import Shared

/// One reason why a scenario cannot be played.
package struct ScenarioMistake: Sendable, Hashable {
  /// Nil when the file could not be read at all.
  package var position: SourcePosition?
  /// Such as `step 3 (buy)` or `devices[2]`; empty for the file as a whole.
  package var place: String
  package var message: String
}
