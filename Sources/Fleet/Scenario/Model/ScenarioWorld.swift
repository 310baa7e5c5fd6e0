package import Shared
package import Wire

/// The settings of a scenario's world.
package struct ScenarioWorld: Sendable, Hashable {
  package var name: String
  package var bundleId: String
  package var environment: String
  package var clock: ClockMode
  package var timeRate: TimeRate
  /// Nil: a renewal that fails takes the access away at once.
  package var gracePeriod: GracePeriod?
  /// Nil for the store's own.
  package var claimPolicy: ClaimPolicy?
  /// How long a family waits for what a member has bought; nil for not at all.
  package var familyGrantDelay: Duration?
  /// Where notifications go; nil for nowhere.
  package var notificationURLs: NotificationURLs?
  /// Nil lets the server choose.
  package var seed: UInt64?
  /// Nil for all as documented.
  package var habits: HabitChange?

  package static let environments = ["Sandbox", "Production", "Xcode", "LocalTesting"]
}
