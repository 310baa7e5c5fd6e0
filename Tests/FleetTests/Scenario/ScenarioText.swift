import Foundation
import Testing

@testable import Fleet

/// Scenarios from text, with the demo catalogue.
enum ScenarioText {
  static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let fixtures = repository.appending(path: "Fixtures")

  static func load(_ url: URL) throws(ScenarioError) -> Scenario {
    try Scenario.load(contentsOf: url, fixtures: fixtures)
  }

  static func read(_ text: String) throws(ScenarioError) -> Scenario {
    try Scenario.read(Data(text.utf8), file: "story.json5", folders: [fixtures])
  }

  /// The mistakes of a scenario that must have some.
  static func mistakes(_ text: String) -> [String] {
    do {
      _ = try read(text)
      Issue.record("the scenario was accepted")
      return []
    } catch {
      return error.lines
    }
  }

  /// A small cast, with the given steps from line 8 on.
  static func story(_ steps: String, clock: String = #"{manual: "2026-01-01T00:00:00Z"}"#) -> String {
    """
    {
      catalog: "Demo.storekit", world: {name: "w", clock: \(clock)}, clients: 2,
      accounts: [{name: "alice"}, {name: "kid", asksToBuy: true}, {name: "zoe"}],
      families: [{name: "smith", organizer: "alice", members: ["kid"]}],
      users: [{name: "user-1", token: "11111111-2222-3333-4444-555555555555"}],
      devices: [{name: "alice-phone", account: "alice", user: "user-1"}, {name: "kid-pad", account: "kid"}],
      steps: [
    \(steps)
      ],
    }
    """
  }
}
