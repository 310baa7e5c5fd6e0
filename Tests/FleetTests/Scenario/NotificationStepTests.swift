import Foundation
import Shared
import Testing
import Wire

@testable import Fleet

struct NotificationStepTests {
  private func play(
    _ steps: String, _ notifications: [NotificationEntry] = []
  ) async throws -> (outcome: ScenarioOutcome, fleet: FakeFleet) {
    var state = FakeFleet.State()
    state.notifications = notifications
    let fleet = FakeFleet(state)
    let scenario = try ScenarioText.read(ScenarioText.story(steps))
    return (await ScenarioRunner(scenario: scenario, driver: fleet, clock: ImpatientClock()).run(), fleet)
  }

  private static func entry(_ number: UInt64, _ type: String, _ subtype: String? = nil) -> NotificationEntry {
    NotificationEntry(
      number: number, notificationUUID: UUID(), notificationType: type, subtype: subtype, account: "zoe",
      at: Ledger.day("2026-01-01"), state: .delivered,
      sendAttempts: [SendAttempt(attemptDate: Ledger.day("2026-01-01"), sendAttemptResult: .success)])
  }

  @Test(
    arguments: [
      (#"{notify: "http://127.0.0.1:1/"}"#, "setNotificationURL w/world/w", #""url":"http://127.0.0.1:1/""#),
      (#"{notify: "none"}"#, "setNotificationURL w/world/w", "{}"),
      (#"{testNotification: true}"#, "requestTestNotification w/notifications/w", "{}"),
      (
        #"{notificationFault: "drop", count: 2}"#, "setNotificationFault w/notifications/w",
        #""fault":{"count":2,"kind":"drop"}"#
      ),
      (
        #"{notificationFault: "delay", percent: 50, by: "2h"}"#, "setNotificationFault w/notifications/w",
        #""delayMilliseconds":7200000"#
      ),
      (#"{notificationFault: "none"}"#, "setNotificationFault w/notifications/w", "{}"),
    ])
  func stepsAskTheWorld(step: String, request: String, body: String) async throws {
    let (outcome, fleet) = try await play(step)
    #expect(outcome.steps.allSatisfy { $0.failure == nil })
    #expect(fleet.acts.contains { $0.hasPrefix(request) && $0.contains(body) }, "\(fleet.acts)")
  }

  @Test(
    arguments: [
      (#"{notification: "DID_RENEW"}"#, true), (#"{notification: "DID_RENEW", count: 2, of: "zoe"}"#, true),
      (#"{notification: "DID_RENEW", count: 1}"#, false), (#"{notification: "DID_RENEW", of: "alice"}"#, false),
      (#"{notification: "EXPIRED", subtype: "VOLUNTARY", state: "delivered"}"#, true),
      (#"{notification: "EXPIRED", subtype: "BILLING_RETRY"}"#, false),
      (#"{notification: "EXPIRED", state: "failed"}"#, false), (#"{notification: "REFUND", count: 0}"#, true),
    ])
  func expectationsLookAtWhatWasSent(expectation: String, holds: Bool) async throws {
    let entries = [
      Self.entry(1, "DID_RENEW"), Self.entry(2, "DID_RENEW"), Self.entry(3, "EXPIRED", "VOLUNTARY"),
    ]
    let (outcome, _) = try await play("{expect: \(expectation), within: \"0\"}", entries)
    #expect((outcome.steps.last?.failure == nil) == holds, "\(outcome.steps)")
    if !holds { #expect("\(outcome.steps)".contains("EXPIRED VOLUNTARY (delivered)"), "it says what was there") }
  }

  @Test func mistakesAreNamed() {
    for (step, expected) in [
      (#"{notificationFault: "drop"}"#, "a fault needs either 'count' (the next ones) or 'percent' (a share of them)"),
      (#"{notificationFault: "delay", count: 1}"#, "it belongs to \"delay\", which needs it"),
      (#"{expect: {notification: "DID_RENEWED"}}"#, "did you mean 'DID_RENEW'?"),
      (#"{testNotification: false}"#, "write {testNotification: true}"),
    ] {
      let error = #expect(throws: ScenarioError.self) { try ScenarioText.read(ScenarioText.story(step)) }
      #expect(error.map { "\($0)".contains(expected) } == true, "\(step): \(String(describing: error))")
    }
  }
}
