import Shared
import Testing

@testable import Fleet

/// Steps that hold up, refuse or break what devices ask for.
struct FaultStepTests {
  @Test(
    arguments: [
      (#"{hold: "purchase", on: "alice-phone"}"#, "hold w/device/alice-phone", #"{"gate":"purchase","held":true}"#),
      (#"{hold: "entitlements"}"#, "hold w/world/w", #""gate":"entitlements""#),
      (
        #"{release: "purchase", on: "alice-phone", count: 1, cancel: true}"#, "hold w/device/alice-phone",
        #"{"cancel":true,"count":1,"gate":"purchase","held":false}"#
      ),
      (
        #"{fail: "purchase", with: "networkError", on: "alice-phone", times: 2}"#,
        "setSimulatedError w/device/alice-phone",
        #"{"api":"purchase","failure":{"code":-1009,"kind":"networkError"},"times":2}"#
      ),
      (
        #"{fail: "verification", with: "invalidSignature"}"#, "setSimulatedError w/world/w",
        #""error":"invalidSignature""#
      ),
      (#"{fail: "purchase", with: "nothing", on: "alice-phone"}"#, "setSimulatedError", #"{"api":"purchase"}"#),
      (#"{allowPurchases: false, on: "alice-phone"}"#, "setPurchasesAllowed w/device/alice-phone", "false"),
      (#"{interrupt: true, account: "alice"}"#, "setInterruptedPurchases w/account/alice", #"{"on":true}"#),
      (#"{interrupt: true, on: "alice-phone"}"#, "setInterruptedPurchases w/device/alice-phone", #"{"on":true}"#),
      (#"{interrupt: false}"#, "setInterruptedPurchases w/world/w", #"{"on":false}"#),
      (#"{resolve: true, account: "alice"}"#, "resolveIssue w/account/alice", "{}"),
      (
        #"{resolve: "com.example.app.lifetime", account: "alice"}"#, "resolveIssue w/account/alice",
        #"{"productId":"com.example.app.lifetime"}"#
      ),
      (
        #"{network: {latency: "200ms-1s", events: {drop: 20, next: 3}, blocked: "requests"}, on: "alice-phone"}"#,
        "setNetworkFaults w/device/alice-phone",
        #"{"faults":{"blocked":"requests","events":{"delay":0,"drop":20,"duplicate":0,"next":3,"reorder":0},"#
          + #""latency":{"from":200,"to":1000}}}"#
      ),
      (#"{network: {requests: {dropReplies: 50}}, onClient: 1}"#, "setNetworkFaults w/node/client-1", "dropReplies"),
      (#"{restore: "alice-phone", wait: false}"#, "restore w/device/alice-phone", #"{"wait":false}"#),
      (#"{hold: "restore"}, {restore: "alice-phone"}"#, "restore w/device/alice-phone", #"{"wait":false}"#),
      (#"{restore: "alice-phone"}"#, "restore w/device/alice-phone", "{}"),
      (#"{network: "good"}"#, "setNetworkFaults w/world/w", "{}"),
    ] as [(String, String, String)])
  func stepAsksTheActorThatItIsAbout(step: String, request: String, part: String) async throws {
    let fleet = FakeFleet()
    let scenario = try ScenarioText.read(ScenarioText.story(step))
    let outcome = await ScenarioRunner(scenario: scenario, driver: fleet).run()
    #expect(outcome.failures.isEmpty)
    let act = fleet.acts.last { $0.hasPrefix(request) }
    #expect(act?.contains(part) == true, "\(fleet.acts)")
  }

  @Test(
    arguments: [
      (#"{hold: "purchases", on: "alice-phone"}"#, "did you mean 'purchase'?"),
      (#"{release: "finish", on: "alice-phone", cancel: true}"#, "nobody can cancel what waits at 'finish'"),
      (#"{fail: "purchase", with: "invalidSignature"}"#, "'with' is 'invalidSignature'"),
      (#"{fail: "purchase"}"#, "'with' is missing"),
      (#"{interrupt: true, account: "alice", on: "alice-phone"}"#, "either of an 'account' or 'on' a device"),
      (#"{network: {latency: "fast"}}"#, "'fast' is no duration"),
      (#"{network: {events: {drop: 101}}}"#, "a whole number, 0 to 100"),
      (#"{network: "bad"}"#, "expected \"good\""),
      (#"{network: "good", onClient: 9}"#, "a whole number, 1 to 2"),
    ] as [(String, String)])
  func mistakeIsFoundBeforeAnythingStarts(step: String, message: String) {
    let mistakes = ScenarioText.mistakes(ScenarioText.story(step))
    #expect(mistakes.count == 1 && mistakes[0].contains(message), "\(mistakes)")
  }

  @Test func purchaseBehindAHeldGateIsNotWaitedFor() throws {
    let scenario = try ScenarioText.read(
      ScenarioText.story(
        #"{hold: "purchase", on: "alice-phone"}, {buy: "com.example.app.lifetime", on: "alice-phone"},"#
          + #"{release: "purchase"}, {buy: "com.example.app.lifetime", on: "alice-phone"}"#))
    let waits = scenario.steps.compactMap { step in
      if case .buy(let buy) = step.action { buy.waits } else { nil }
    }
    #expect(waits == [false, true])
  }
}
