/// A story that a fleet plays: who takes part, what they do, and what must then be so.
///
/// A scenario that was read is whole: every name in a step is one of the cast, every product is in the catalogue, and
/// only a manual clock is advanced. So no user of it needs to check again.
package struct Scenario: Sendable, Hashable {
  /// The file as the person named it, for messages.
  package var file: String
  package var catalog: ScenarioCatalog
  package var world: ScenarioWorld
  /// Nil: the built-in one.
  package var app: ScenarioApp?
  /// How many client processes there are; at least one.
  package var clients: Int
  package var accounts: [ScenarioAccount]
  package var families: [ScenarioFamily]
  package var users: [ScenarioUser]
  package var devices: [ScenarioDevice]
  /// What is played before the story begins, in the order of the times.
  package var prelude: [ScenarioPrelude] = []
  package var steps: [ScenarioStep]

  package func device(_ name: String) -> ScenarioDevice? { devices.first { $0.name == name } }

  package func user(_ name: String) -> ScenarioUser? { users.first { $0.name == name } }

  /// A product id without the app's own prefix, where it has it: what tables and progress lines show.
  package func shortName(_ productId: String) -> String {
    let prefix = world.bundleId + "."
    return productId.hasPrefix(prefix) ? String(productId.dropFirst(prefix.count)) : productId
  }
}
