/// Which app of which store a payload is about.
package struct StoreIdentity: Hashable, Sendable, Codable {
  package var bundleId: String
  /// `Sandbox`, `Production`, `Xcode`, `LocalTesting`.
  package var environment: String

  package init(bundleId: String, environment: String) {
    self.bundleId = bundleId
    self.environment = environment
  }

  /// The environment of StoreKit Testing in Xcode, whose signed data differs in its certificate and its form.
  package static let xcode = "Xcode"

  /// The app's number in the App Store, which is said in production alone: made of the bundle id, since nobody gives
  /// numbers out here.
  package var appAppleId: Int64? {
    guard environment == "Production" else { return nil }
    let hash = bundleId.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    return 1_000_000_000 + Int64(hash % 5_000_000_000)
  }
}
