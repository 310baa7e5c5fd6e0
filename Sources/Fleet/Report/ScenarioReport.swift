import Shared

/// A scenario's outcome for programs: what `--json` prints. docs/scenarios.md explains the keys; none is ever renamed.
package struct ScenarioReport: Codable, Sendable, Hashable {
  package struct Step: Codable, Sendable, Hashable {
    package struct Failure: Codable, Sendable, Hashable {
      package var message: String
      package var seen: [String]
      package var timeline: [Event]
    }

    package struct Event: Codable, Sendable, Hashable {
      package var account: String
      package var sequence: UInt64
      package var name: String
      /// ISO 8601.
      package var at: String
      package var subjects: [String]
    }

    package var number: Int
    package var line: Int?
    package var text: String
    package var milliseconds: Double
    package var failure: Failure?
  }

  package struct Reason: Codable, Sendable, Hashable {
    package var product: String
    package var entitled: Bool
    package var why: String
  }

  package struct Update: Codable, Sendable, Hashable {
    package var product: String
    package var transactionId: String
    package var revoked: Bool
    package var unverified: String?
  }

  package struct Device: Codable, Sendable, Hashable {
    package enum State: String, Codable, Sendable {
      case running, offline, off, unreachable
    }

    package enum Verdict: String, Codable, Sendable {
      case agrees, disagrees, notChecked
    }

    package var device: String
    package var account: String
    /// The one that it is in at the end of the story.
    package var family: String?
    package var client: Int
    package var state: State
    /// What its listener believes that its user may use.
    package var believes: [String]
    /// What the ledger says.
    package var entitled: [String]
    package var reasons: [Reason]
    package var updates: [Update]
    package var unfinished: [String]
    package var verdict: Verdict
    package var missing: [String]
    package var extra: [String]
    /// Transaction ids.
    package var missingUnfinished: [String]
    package var extraUnfinished: [String]
    /// Why it was not checked.
    package var notCheckedBecause: String?
  }

  package var scenario: String
  package var world: String
  package var passed: Bool
  package var summary: String
  package var steps: [Step]
  package var devices: [Device]
  package var ledgerProblems: [String]
  /// Why the fleet could not be looked at in the end.
  package var checkFailure: String?
}
