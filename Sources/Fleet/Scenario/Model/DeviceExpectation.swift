package import Wire

/// What an app must show and its listener must have seen; what is nil may be anything.
package struct DeviceExpectation: Sendable, Hashable {
  package struct Update: Sendable, Hashable {
    package var productId: String
    package var revoked: Bool

    package init(productId: String, revoked: Bool) {
      self.productId = productId
      self.revoked = revoked
    }
  }

  package enum Unfinished: Sendable, Hashable {
    case count(Int)
    /// As often as it stands here.
    case products([String])
  }

  /// Exactly these products, in any order.
  package var entitlements: [String]?
  package var access: AppScreen.Access?
  /// The listener saw these since the launch; it may have seen more.
  package var updates: [Update] = []
  /// The listener saw nothing since the launch.
  package var noUpdates = false
  package var unfinished: Unfinished?
  package var phase: String?
  /// Something of the app waits at this gate.
  package var waitsAt: HoldGate.Gate?
  /// How the last restore ended, as the app shows it.
  package var restore: String?

  package static let phases = ["idle", "purchasing", "awaitingApproval", "completed", "failed"]
  package static let restoreOutcomes = ["restored", "nothingToRestore", "failed", "cancelled"]

  package init() {}
}
