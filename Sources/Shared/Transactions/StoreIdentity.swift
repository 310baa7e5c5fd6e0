/// Which app of which store a payload is about.
package struct StoreIdentity: Hashable, Sendable, Codable {
  package var bundleId: String
  /// `Sandbox`, `Production`, `Xcode`, `LocalTesting`.
  package var environment: String

  package init(bundleId: String, environment: String) {
    self.bundleId = bundleId
    self.environment = environment
  }

  /// Apple: appAppleId, which data of production has and of no other environment. Every world's app has this one.
  package var appAppleId: Int64? { environment == "Production" ? StoreIdentity.productionAppAppleId : nil }
  package static let productionAppAppleId: Int64 = 1_000_000_001
}
