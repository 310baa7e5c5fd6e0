package import Shared

/// What the checker found of one device.
package struct DeviceVerdict: Sendable, Hashable {
  package enum Finding: Sendable, Hashable {
    case agrees
    case disagrees(Disagreement)
    /// With the reason.
    case notChecked(String)
  }

  package struct Disagreement: Sendable, Hashable {
    /// True, but the listener does not know.
    package var missing: [String]
    /// Believed, but not true.
    package var extra: [String]
    package var missingUnfinished: [TransactionID]
    package var extraUnfinished: [TransactionID]
    /// Whether the app has shown what its user may use.
    package var hasShown: Bool
  }

  package var device: String
  package var account: String
  package var finding: Finding

  package var disagreement: Disagreement? {
    if case .disagrees(let disagreement) = finding { disagreement } else { nil }
  }
}
