/// Subscriptions of which a customer has at most one at a time.
package struct SubscriptionGroup: Sendable, Hashable, Codable, Identifiable {
  package let id: String
  /// The developer's own name for it; empty where the file has none.
  package let name: String
  package let localizations: [ProductLocalization]
  /// In file order, which is not the order of levels.
  package let productIDs: [String]

  package init(id: String, name: String, localizations: [ProductLocalization], productIDs: [String]) {
    self.id = id
    self.name = name
    self.localizations = localizations
    self.productIDs = productIDs
  }
}
