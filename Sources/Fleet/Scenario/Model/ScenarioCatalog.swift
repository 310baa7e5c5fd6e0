package import Foundation

/// The catalogue that a scenario names: what the world sells.
package struct ScenarioCatalog: Sendable, Hashable {
  /// As the scenario's file writes it.
  package var name: String
  /// The text of the `.storekit` file.
  package var text: String
  package var productIds: [String]

  package init(name: String, text: String, productIds: [String]) {
    self.name = name
    self.text = text
    self.productIds = productIds
  }

  /// Reads the `.storekit` file at a URL and names its products; the scenario's reader does not know the format.
  ///
  /// What it throws becomes one line of the scenario's mistakes.
  package typealias Loader = (URL) throws -> (text: String, productIds: [String])
}
