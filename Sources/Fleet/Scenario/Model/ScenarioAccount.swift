/// An Apple Account of the cast.
package struct ScenarioAccount: Sendable, Hashable {
  package var name: String
  /// Whether its purchases wait for the family organiser.
  package var asksToBuy: Bool
  package var states: [ScenarioState] = []
}
