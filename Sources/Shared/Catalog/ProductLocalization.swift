/// The texts of a product or group in one language.
package struct ProductLocalization: Sendable, Hashable, Codable {
  /// As in the file, for example `en_US` or `tr`.
  package let locale: String
  package let displayName: String
  package let description: String

  package init(locale: String, displayName: String, description: String) {
    self.locale = locale
    self.displayName = displayName
    self.description = description
  }
}
