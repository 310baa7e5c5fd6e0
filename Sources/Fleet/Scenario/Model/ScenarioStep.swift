package import Shared

/// One step of the story.
package struct ScenarioStep: Sendable, Hashable {
  /// From 1.
  package var number: Int
  package var position: SourcePosition
  /// What the progress line says instead of the step's own words.
  package var say: String?
  package var action: ScenarioAction
}
