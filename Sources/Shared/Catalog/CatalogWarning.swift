/// Something in a configuration file that has no effect, or not the one it seems to have. The file loads all the same.
package struct CatalogWarning: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Such as `products[0].familyShareable`.
  package let keyPath: String
  package let text: String

  package init(keyPath: String, text: String) {
    self.keyPath = keyPath
    self.text = text
  }

  package var description: String { "\(keyPath): \(text)" }
}
