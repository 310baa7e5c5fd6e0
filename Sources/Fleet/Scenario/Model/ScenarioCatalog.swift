/// The catalogue that a scenario names: what the world sells.
package struct ScenarioCatalog: Sendable, Hashable {
  /// As the scenario's file writes it.
  package var name: String
  /// The text of the `.storekit` file.
  package var text: String
  package var productIds: [String]
}
