/// One reason why a configuration file cannot be loaded.
package struct CatalogMistake: Sendable, Hashable, CustomStringConvertible {
  /// Nil when the file could not be read at all.
  package let position: SourcePosition?
  /// Such as `subscriptionGroups[0].subscriptions[2].recurringSubscriptionPeriod`; empty for the file as a whole and
  /// for text that is not JSON.
  package let keyPath: String
  package let found: String
  package let expected: String

  package init(position: SourcePosition?, keyPath: String, found: String, expected: String) {
    self.position = position
    self.keyPath = keyPath
    self.found = found
    self.expected = expected
  }

  package var description: String {
    let place = [position.map { "line \($0.line), column \($0.column)" }, keyPath.isEmpty ? nil : keyPath]
    let prefix = place.compactMap(\.self).joined(separator: ", ")
    return (prefix.isEmpty ? "" : prefix + ": ") + "found \(found), expected \(expected)"
  }
}
