/// A device of the cast.
package struct ScenarioDevice: Sendable, Hashable {
  package var name: String
  package var account: String
  /// The user who is signed in to the app from its first launch on.
  package var user: String?
  /// The client process that it lives in, from 1.
  package var client: Int
  /// Whether the app runs when the story begins.
  package var startsLaunched: Bool
}
