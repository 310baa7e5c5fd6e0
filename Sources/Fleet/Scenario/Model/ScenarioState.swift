package import Shared

/// What an account is like when the story begins.
package struct ScenarioState: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case owns, trial, lapsed, grace, retry, refunded, memberOf

    /// The key of the time that goes with it; nil for one that has none.
    package var timeKey: String? {
      switch self {
      case .owns, .lapsed, .refunded: "ago"
      case .trial: "left"
      case .grace, .retry: "for"
      case .memberOf: nil
      }
    }

    /// Whether the time has to be said.
    package var needsTime: Bool {
      switch self {
      case .trial, .lapsed, .grace, .retry: true
      case .owns, .refunded, .memberOf: false
      }
    }
  }

  package var kind: Kind
  /// A product, or the family of a member.
  package var subject: String
  package var time: Duration
  package var position: SourcePosition
  /// The account's place in the file, for messages.
  package var place: String
}
