import Foundation
import Shared
import Synchronization
import Testing
import Wire

@testable import Fleet

struct ScenarioRunnerTests {
  private static let lifetime = "com.example.app.lifetime"

  private func play(
    _ steps: String, on fleet: FakeFleet, keepsGoing: Bool = false, clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> ScenarioOutcome {
    let scenario = try ScenarioText.read(ScenarioText.story(steps))
    return await ScenarioRunner(scenario: scenario, driver: fleet, keepsGoing: keepsGoing, clock: clock).run()
  }

  /// The words before the JSON of what was asked.
  private func heads(_ fleet: FakeFleet) -> [String] {
    fleet.acts.map { $0.split(separator: " {").first.map(String.init) ?? $0 }
  }

  @Test func theWorldIsSetUpBeforeTheFirstLaunch() async throws {
    let fleet = FakeFleet()
    let outcome = try await play("", on: fleet)
    #expect(outcome.passed)
    #expect(
      heads(fleet).prefix(7) == [
        "createWorld w/world/w", "openAccount w/world/w", "openAccount w/world/w", "openAccount w/world/w",
        "createFamily w/family/smith", "joinFamily w/family/smith", "clients alice-phone | kid-pad",
      ])
    #expect(
      Set(heads(fleet).dropFirst(7)) == [
        "launch w/device/alice-phone", "signIn w/device/alice-phone", "launch w/device/kid-pad",
      ])
  }

  @Test func stepsReachTheirActorsInOrder() async throws {
    let fleet = FakeFleet()
    let outcome = try await play(
      """
      {buy: "\(Self.lifetime)", on: "alice-phone", quantity: 2},
      {buy: "\(Self.lifetime)", account: "zoe"},
      {refund: "\(Self.lifetime)", account: "zoe", reason: "appIssue"},
      {approve: true, account: "kid"},
      {join: "zoe", family: "smith"},
      {advance: "1d"},
      {kill: "alice-phone"},
      {launch: "alice-phone"},
      {server: "restart"},
      {client: 2, do: "kill"},
      """, on: fleet)
    #expect(outcome.failures == [])
    let acts = Array(fleet.acts.drop { !$0.hasPrefix("buy") })
    #expect(
      acts == [
        #"buy w/device/alice-phone {"productId":"\#(Self.lifetime)","quantity":2,"wait":true}"#,
        #"purchase w/account/zoe {"productId":"\#(Self.lifetime)","quantity":1,"simulatesAskToBuy":false}"#,
        #"refund w/account/zoe {"productId":"\#(Self.lifetime)","reason":1}"#,
        #"answerAskToBuy w/account/kid {"approve":true}"#,
        #"joinFamily w/family/smith {"account":"zoe"}"#,
        #"advanceClock w/world/w {"target":{"kind":"by","milliseconds":86400000}}"#,
        "kill w/device/alice-phone {}", "launch w/device/alice-phone {}",
        #"signIn w/device/alice-phone {"appAccountToken":"11111111-2222-3333-4444-555555555555"}"#,
        "server restart", "client 2 kill",
      ])
  }

  @Test func anExpectationIsMetWhenTheDeviceReportsIt() async throws {
    // The fleet never comes to rest: the report of the change must be enough.
    var state = FakeFleet.State()
    state.settlesWithoutEnd = 1
    let fleet = FakeFleet(
      state,
      after: [
        "inspect": { state in
          state.reports["kid-pad"]?.screen = AppScreen(access: .unlocked, entitled: [Self.lifetime])
          state.journals["kid"] = [Ledger.entry(1, "granted", records: [Ledger.record(1, Self.lifetime)])]
          state.reports["kid-pad"]?.unfinished = [TransactionID(1)]
        }
      ])
    let outcome = try await play(
      """
      {expect: {device: "kid-pad", entitlements: ["\(Self.lifetime)"], access: "unlocked",
                unfinished: ["\(Self.lifetime)"]}}
      """, on: fleet)
    #expect(outcome.failures == [])
    #expect(outcome.passed)
  }

  @Test func whatWasSeenInsteadAndTheAccountsLastEventsExplainAFailure() async throws {
    var state = FakeFleet.State()
    state.journals["kid"] = [
      Ledger.entry(1, "granted", records: [Ledger.record(4, Self.lifetime)]),
      Ledger.entry(2, "finished", finished: [4]),
    ]
    let fleet = FakeFleet(state)
    let outcome = try await play(
      """
      {expect: {device: "kid-pad", entitlements: ["\(Self.lifetime)"],
                updates: [{product: "\(Self.lifetime)", revoked: true}]}, within: "0"},
      {restore: "kid-pad"},
      """, on: fleet, clock: ImpatientClock())
    let failure = try #require(outcome.steps.last?.failure)
    #expect(failure.message == "what was expected is not so")
    #expect(
      failure.seen == [
        "kid-pad may use nothing, not com.example.app.lifetime",
        "kid-pad saw no update at all, where com.example.app.lifetime revoked was expected",
      ])
    #expect(
      failure.timeline.map(\.text) == [
        "2026-01-01T00:00:00Z  kid  granted  com.example.app.lifetime #4", "2026-01-01T00:00:00Z  kid  finished  #4",
      ])
    #expect(outcome.steps.map(\.number) == [0, 1])
    #expect(!outcome.passed)
    #expect(
      FailureText.lines(outcome.steps[1], file: "story.json5").prefix(3) == [
        "story.json5:8: step 1: expect kid-pad: may use lifetime; saw lifetime revoked: what was expected is not so",
        "  instead: kid-pad may use nothing, not com.example.app.lifetime",
        "  instead: kid-pad saw no update at all, where com.example.app.lifetime revoked was expected",
      ])
  }

  @Test func theRestIsPlayedWhenTheRunnerKeepsGoing() async throws {
    let fleet = FakeFleet()
    let outcome = try await play(
      """
      {expect: {family: "smith", members: ["alice", "kid"]}, within: "0"},
      {restore: "kid-pad"},
      """, on: fleet, keepsGoing: true)
    #expect(outcome.steps.map { $0.failure == nil } == [true, false, true])
    #expect(outcome.failures.first?.failure?.seen == ["the family smith is nothing, not alice, kid"])
  }

  @Test func anExpectationEndsAtItsDeadline() async throws {
    let scenario = try ScenarioText.read(
      ScenarioText.story(#"{expect: {user: "user-1", entitledTo: ["\#(Self.lifetime)"]}, within: "2s"}"#))
    let outcome = await ScenarioRunner(scenario: scenario, driver: FakeFleet(), clock: ImpatientClock()).run()
    #expect(outcome.failures.first?.failure?.message == "what was expected did not come true within 2s")
  }

  @Test func aPurchaseThatFailsIsAFailureUnlessItIsExpected() async throws {
    var state = FakeFleet.State()
    state.phase = "failed"
    let buy = #"buy: "\#(Self.lifetime)", on: "alice-phone""#
    let surprised = try await play("{\(buy)}", on: FakeFleet(state))
    #expect(surprised.failures.first?.failure?.message == "the purchase of lifetime is failed")
    #expect(surprised.failures.first?.failure?.seen == ["no money"])
    let expected = try await play(#"{\#(buy), expect: "failed"}"#, on: FakeFleet(state))
    #expect(expected.failures == [])
    let pending = try await play(#"{\#(buy), expect: "awaitingApproval"}"#, on: FakeFleet(state))
    #expect(pending.failures.first?.failure?.message == "the purchase of lifetime is failed, not awaitingApproval")
  }

  @Test func aStoreThatSaysNoFailsTheStepInItsOwnWords() async throws {
    var state = FakeFleet.State()
    state.errors["refund"] = .refused(.unknownTransaction, "zoe never bought it")
    let outcome = try await play(#"{refund: "\#(Self.lifetime)", account: "zoe"}"#, on: FakeFleet(state))
    #expect(outcome.failures.first?.failure?.message == "zoe never bought it")
  }

  @Test func aWorldThatCannotBeSetUpEndsTheStory() async throws {
    var state = FakeFleet.State()
    state.errors["createWorld"] = WireError(.badBody, "the catalogue is bad")
    let outcome = try await play(#"{restore: "kid-pad"}"#, on: FakeFleet(state), keepsGoing: true)
    #expect(outcome.steps.map(\.number) == [0])
    #expect(outcome.steps.first?.failure?.message == "the catalogue is bad")
  }

  @Test func aDeviceThatMissesAnEventIsNamed() async throws {
    var state = FakeFleet.State()
    let unlock = Ledger.record(1, Self.lifetime) { $0.isFinished = true }
    state.journals["kid"] = [Ledger.entry(1, "granted", records: [unlock])]
    let fleet = FakeFleet(state)
    let outcome = try await play(
      #"{expect: {disagree: ["kid-pad"]}, within: "0"}"#, on: fleet, clock: ImpatientClock())
    #expect(outcome.failures == [])
    #expect(!outcome.passed)
    let scenario = try ScenarioText.read(ScenarioText.story(""))
    let report = ScenarioReport(scenario, outcome)
    #expect(report.summary == "1 of 2 devices disagrees with the ledger: kid-pad (lacks lifetime).")
    #expect(
      ReportTable.rows(report, shortName: scenario.shortName) == [
        ["alice", "smith", "alice-phone", "running", "–", "nothing bought", "–", "–"],
        ["kid", "smith", "kid-pad", "running", "– ✗", "lifetime: bought 2026-01-01", "–", "–"],
      ])
    #expect(
      ReportTable.rows(report, shortName: scenario.shortName).allSatisfy { $0.count == ReportTable.headers.count })
  }

  @Test func anAppThatStillFinishesInTheEndDisagreesWithNothing() async throws {
    // The device is asked while its app is about to finish; its journal is read when it has.
    var state = FakeFleet.State()
    state.journals["kid"] = [
      Ledger.entry(1, "granted", records: [Ledger.record(1, Self.lifetime)]),
      Ledger.entry(2, "finished", finished: [1]),
    ]
    let fleet = FakeFleet(
      state,
      after: [
        "readJournal": { state in
          state.reports["kid-pad"]?.screen = AppScreen(access: .unlocked, entitled: [Self.lifetime])
        }
      ])
    let outcome = try await play("", on: fleet)
    #expect(outcome.passed)
    #expect(outcome.agreement.disagreeing == [])
  }

  @Test func theReportSurvivesItsJSON() async throws {
    let outcome = try await play(#"{note: "hello"}"#, on: FakeFleet())
    let report = ScenarioReport(try ScenarioText.read(ScenarioText.story("")), outcome)
    let decoded = try JSONDecoder().decode(ScenarioReport.self, from: JSONEncoder().encode(report))
    #expect(decoded == report)
    #expect(report.passed)
    #expect(report.steps.map(\.text) == ["set up 3 accounts, 1 family, 2 devices in 2 clients", "hello"])
  }

  @Test func progressTellsEachStepAsItBeginsAndEnds() async throws {
    let scenario = try ScenarioText.read(
      ScenarioText.story(#"{advance: "1d", say: "a day passes"}, {restore: "kid-pad"}"#))
    let told = Mutex<[String]>([])
    _ = await ScenarioRunner(scenario: scenario, driver: FakeFleet()) { progress in
      told.withLock { told in
        switch progress {
        case .began(let number, let text): told.append("\(number) \(text)")
        case .ended(let outcome): told.append("\(outcome.number) \(outcome.failure == nil ? "ok" : "failed")")
        }
      }
    }.run()
    #expect(
      told.withLock { $0.dropFirst(2) } == ["1 a day passes", "1 ok", "2 restore purchases on kid-pad", "2 ok"])
  }
}
