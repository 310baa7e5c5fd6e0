/// What came of extending the subscriptions of all customers of a product (Apple: summary).
package struct ExtensionSummary: Hashable, Sendable, Codable {
  package var requestIdentifier: String
  package var productId: String
  /// Empty for all.
  package var storefrontCountryCodes: [String]
  package var succeededCount: Int64
  package var failedCount: Int64

  package init(
    requestIdentifier: String, productId: String, storefrontCountryCodes: [String], succeededCount: Int64,
    failedCount: Int64
  ) {
    self.requestIdentifier = requestIdentifier
    self.productId = productId
    self.storefrontCountryCodes = storefrontCountryCodes
    self.succeededCount = succeededCount
    self.failedCount = failedCount
  }
}
