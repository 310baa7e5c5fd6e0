/// A family as it is when the story begins.
package struct ScenarioFamily: Sendable, Hashable {
  package var name: String
  package var organizer: String
  /// The organiser included.
  package var members: [String]
}
