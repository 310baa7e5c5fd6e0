/// Which app of which store a payload is about.
package struct StoreIdentity: Hashable, Sendable, Codable {
  package var bundleId: String
  /// `Sandbox`, `Production`, `Xcode`, `LocalTesting`.
  package var environment: String

  package init(bundleId: String, environment: String) {
    self.bundleId = bundleId
    self.environment = environment
  }
}
