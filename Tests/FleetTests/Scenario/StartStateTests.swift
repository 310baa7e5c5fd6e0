import Foundation
import Shared
import Testing

@testable import Fleet

struct StartStateTests {
  private static func story(
    _ account: String, world: String = #"clock: {manual: "2026-01-10T00:00:00Z"}, gracePeriod: 16"#
  ) -> String {
    """
    {
      catalog: "Demo.storekit", world: {\(world)},
      families: [{name: "smith", organizer: "bob"}],
      accounts: [{name: "bob"}, \(account)],
      steps: [],
    }
    """
  }

  private static func state(_ state: String) -> String { "{name: \"alice\", state: \(state)}" }

  /// Each command before the story, such as `2026-01-09T00:00:00Z buy lifetime`.
  private func prelude(_ state: String) throws -> [String] {
    let scenario = try ScenarioText.read(Self.story(Self.state(state)))
    return scenario.prelude.map { "\($0.at) \($0.command) \(scenario.shortName($0.productId))" }
  }

  @Test(
    arguments: [
      (#"{owns: "com.example.app.lifetime"}"#, ["2026-01-10T00:00:00Z buy lifetime"]),
      (#"{owns: "com.example.app.lifetime", ago: "1d"}"#, ["2026-01-09T00:00:00Z buy lifetime"]),
      (#"{trial: "com.example.app.yearly", left: "5m"}"#, ["2026-01-03T00:05:00Z buy yearly"]),
      (
        #"{lapsed: "com.example.app.basic.monthly", ago: "40d"}"#,
        ["2025-11-01T00:00:00Z buy basic.monthly", "2025-11-01T00:00:00Z cancel basic.monthly"]
      ),
      (
        // The trial comes first; what lapses is the month that was paid for.
        #"{lapsed: "com.example.app.monthly", ago: "40d"}"#,
        ["2025-10-25T00:00:00Z buy monthly", "2025-11-01T00:00:00Z cancel monthly"]
      ),
      (
        #"{grace: "com.example.app.basic.monthly", for: "2d"}"#,
        ["2025-12-08T00:00:00Z buy basic.monthly", "2025-12-08T00:00:00Z failBilling basic.monthly"]
      ),
      (
        #"{retry: "com.example.app.basic.monthly", for: "20d"}"#,
        ["2025-11-21T00:00:00Z buy basic.monthly", "2025-11-21T00:00:00Z failBilling basic.monthly"]
      ),
      (
        #"{refunded: "com.example.app.lifetime"}"#,
        ["2026-01-09T23:00:00Z buy lifetime", "2026-01-10T00:00:00Z refund lifetime"]
      ),
    ] as [(String, [String])])
  func stateIsPlayedByCommandsCountedBackFromTheBeginning(state: String, commands: [String]) throws {
    #expect(try prelude(state) == commands)
  }

  @Test func severalStatesArePlayedInTheOrderOfTheirTimes() throws {
    let both = #"[{owns: "com.example.app.lifetime"}, {lapsed: "com.example.app.basic.monthly", ago: "40d"}]"#
    #expect(
      try prelude(both) == [
        "2025-11-01T00:00:00Z buy basic.monthly", "2025-11-01T00:00:00Z cancel basic.monthly",
        "2026-01-10T00:00:00Z buy lifetime",
      ])
  }

  @Test func aMemberNeedNotBeNamedByItsFamily() throws {
    let scenario = try ScenarioText.read(Self.story(Self.state(#"{memberOf: "smith"}"#)))
    #expect(scenario.families.map(\.members) == [["bob", "alice"]])
  }

  @Test(
    arguments: [
      (#"{trial: "com.example.app.basic.monthly", left: "5m"}"#, "'com.example.app.basic.monthly' has no free trial"),
      (
        #"{trial: "com.example.app.yearly", left: "8d"}"#,
        "the free trial of 'com.example.app.yearly' is shorter than that"
      ),
      (#"{trial: "com.example.app.yearly"}"#, "'left' is missing"),
      (
        #"{grace: "com.example.app.lifetime", for: "2d"}"#,
        "'com.example.app.lifetime' is no auto-renewable subscription"
      ),
      (
        #"{grace: "com.example.app.basic.monthly", for: "17d"}"#,
        "the grace period lasts 2w2d, so nobody is in it for 2w3d"
      ),
      (
        #"{retry: "com.example.app.basic.monthly", for: "2d"}"#,
        "billing is tried again from 2w2d to 8w4d after the renewal failed, so not for 2d"
      ),
      (
        #"{lapsed: "com.example.app.basic.monthly", ago: "10d"}"#,
        "no period of 'com.example.app.basic.monthly' ends exactly on 2025-12-31T00:00:00Z: say a few days more or less"
      ),
      (#"{ownz: "com.example.app.lifetime"}"#, "unknown key 'ownz': did you mean 'owns'?"),
      (
        #"{owns: "lifetime"}"#,
        "Demo.storekit has no product 'lifetime': did you mean 'com.example.app.lifetime'?"
      ),
      (#"{memberOf: "smit"}"#, "there is no family 'smit': did you mean 'smith'?"),
    ] as [(String, String)])
  func stateThatCannotBeIsRefused(state: String, message: String) {
    let mistakes = ScenarioText.mistakes(Self.story(Self.state(state)))
    #expect(mistakes.contains { $0.hasSuffix("accounts[1] state: \(message)") }, "\(mistakes)")
  }

  /// Each alone can be; found before anything is bought.
  @Test(
    arguments: [
      (
        #"[{owns: "com.example.app.monthly"}, {trial: "com.example.app.yearly", left: "1d"}]"#,
        "of one subscription group at a time: let one of them be over before the other begins"
      ),
      (
        #"[{lapsed: "com.example.app.yearly", ago: "40d"}, {trial: "com.example.app.monthly", left: "1d"}]"#,
        "'alice' had the introductory offer of the subscription group with 'com.example.app.yearly'"
      ),
    ] as [(String, String)])
  func statesThatExcludeEachOtherAreRefused(states: String, message: String) {
    let mistakes = ScenarioText.mistakes(Self.story(Self.state(states)))
    #expect(mistakes.count == 1 && mistakes.first?.contains(message) == true, "\(mistakes)")
  }

  @Test func statesThatFollowEachOtherAreFine() throws {
    let both = #"[{lapsed: "com.example.app.basic.monthly", ago: "40d"}, {owns: "com.example.app.basic.monthly"}]"#
    #expect(try prelude(both).count == 3)
  }

  @Test func stateOnARealClockIsRefused() {
    let mistakes = ScenarioText.mistakes(
      Self.story(Self.state(#"{owns: "com.example.app.lifetime"}"#), world: #"clock: "real""#))
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.contains("a state needs a manual clock: write world: {clock: {manual:") == true)
  }

  @Test func graceWithoutAGracePeriodIsRefused() {
    let mistakes = ScenarioText.mistakes(
      Self.story(
        Self.state(#"{grace: "com.example.app.basic.monthly", for: "2d"}"#),
        world: #"clock: {manual: "2026-01-10T00:00:00Z"}"#))
    #expect(mistakes.first?.hasSuffix("the world has no grace period: write world: {gracePeriod: 16}") == true)
  }

  @Test func everyStateOfTheGuideCanBeReadAndEveryKindIsThere() throws {
    let guide = try String(contentsOf: ScenarioText.repository.appending(path: "docs/scenarios.md"), encoding: .utf8)
    let rows = guide.split(separator: "\n").filter { $0.hasPrefix("| `{name: ") && $0.contains(", state: {") }
    var kinds: Set<ScenarioState.Kind> = []
    for row in rows {
      let account = String(row.split(separator: "`")[1])
      kinds.formUnion(try ScenarioText.read(Self.story(account)).accounts.flatMap(\.states).map(\.kind))
    }
    #expect(kinds == Set(ScenarioState.Kind.allCases))
  }

  @Test func worldStartsWithThePastAndStandsAtItsTimeBeforeTheDevicesAreThere() async throws {
    let fleet = FakeFleet()
    let scenario = try ScenarioText.read(
      Self.story(Self.state(#"{lapsed: "com.example.app.basic.monthly", ago: "40d"}"#)))
    let outcome = await ScenarioRunner(scenario: scenario, driver: fleet).run()
    #expect(outcome.failures.isEmpty)
    let names = fleet.acts.map { String($0.prefix { $0 != " " }) }
    #expect(
      names == [
        "createWorld", "openAccount", "openAccount", "createFamily", "advanceClock", "purchase", "advanceClock",
        "setAutoRenew", "advanceClock", "clients",
      ])
    let start = Ledger.day("2025-11-01").milliseconds
    #expect(fleet.acts.first?.contains("\"startsAt\":\(start)") == true)
    #expect(fleet.acts.first?.contains("\"gracePeriod\":{\"days\":16") == true)
    #expect(fleet.acts.dropLast().last?.contains("\(Ledger.day("2026-01-10").milliseconds)") == true)
  }
}
