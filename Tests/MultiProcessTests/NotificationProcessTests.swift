import FleetTesting
import Foundation
import HTTPServer
import Shared
import Testing
import Wire

/// Notifications between real processes: a server that is killed, a receiver that is down.
@Suite(.timeLimit(.minutes(3)))
struct NotificationProcessTests {
  private static let hour: Int64 = 3_600_000

  private func withShop(
    _ receiver: NotificationReceiver, environment: String = "Production",
    _ body: (FleetTesting.Fleet) async throws -> Void
  ) async throws {
    do {
      try await withFleet(
        ["alice": []],
        configure: {
          $0.environment = environment
          $0.clock = .manual(startsAt: Date(timeIntervalSince1970: 1_767_225_600))
          $0.notificationURLs = NotificationURLs(production: NotificationEndpoint(url: receiver.url))
        }
      ) { fleet in try await body(fleet) }
    } catch {
      await receiver.stop()
      throw error
    }
    await receiver.stop()
  }

  private func entries(_ fleet: FleetTesting.Fleet) async throws -> [NotificationEntry] {
    try await fleet.ask(ListNotifications(), of: fleet.address(.notifications, fleet.world.world)).notifications
  }

  private func advance(_ fleet: FleetTesting.Fleet, hours: Int64) async throws {
    _ = try await fleet.ask(AdvanceClock(.by(milliseconds: hours * NotificationProcessTests.hour)), of: fleet.world)
  }

  @Test func receiverThatIsDownForFourTriesGetsTheFifthAsTheClockIsMoved() async throws {
    let receiver = try NotificationReceiver(statuses: [503, 503, 503, 503])
    try await withShop(receiver) { fleet in
      try await fleet.account("alice").buy(Product.coins)
      try await fleet.settle()
      let time = try await ContinuousClock().measure { try await advance(fleet, hours: 85) }
      #expect(time < .seconds(5))
      #expect(receiver.payloads.count == 5 && Set(receiver.payloads).count == 1)
      let entry = try #require(try await entries(fleet).first)
      #expect(entry.state == .delivered)
      let hours = entry.sendAttempts.map {
        ($0.attemptDate.milliseconds - entry.at.milliseconds) / NotificationProcessTests.hour
      }
      #expect(hours == [0, 1, 13, 37, 85])
    }
  }

  @Test func serverKilledBetweenTriesGoesOnWithTheSameBytes() async throws {
    let receiver = try NotificationReceiver(statuses: [500, 500])
    try await withShop(receiver) { fleet in
      try await fleet.account("alice").buy(Product.coins)
      try await fleet.settle()
      await fleet.killServer()
      try await fleet.startServer()
      try await advance(fleet, hours: 1)
      await fleet.killServer()
      try await fleet.startServer()
      try await advance(fleet, hours: 12)
      #expect(receiver.payloads.count == 3 && Set(receiver.payloads).count == 1)
      let entries = try await entries(fleet)
      #expect(entries.map(\.state) == [.delivered])
      #expect(
        entries[0].sendAttempts.map(\.sendAttemptResult) == [
          .unsuccessfulHTTPResponseCode, .unsuccessfulHTTPResponseCode, .success,
        ])
    }
  }

  @Test func killsAtAnyMomentLoseNothing() async throws {
    let receiver = try NotificationReceiver()
    try await withShop(receiver, environment: "Sandbox") { fleet in
      for round in 1...3 {
        // Acknowledged, so it is told of; whether it was before the kill is open.
        for _ in 0..<10 { try await fleet.account("alice").buy(Product.coins) }
        await fleet.killServer()
        try await fleet.startServer()
        try await fleet.settle()
        let entries = try await entries(fleet)
        #expect(entries.count == 10 * round && entries.allSatisfy { $0.state == .delivered })
        let told = Set(try receiver.notifications().map(\.notificationUUID))
        #expect(told == Set(entries.map(\.notificationUUID)))
      }
      // A try that was on its way is made again, with the same bytes.
      #expect(Set(receiver.payloads).count == 30)
    }
  }

  @Test func slowReceiverIsATimeOutAndHoldsUpNothingElse() async throws {
    let server = try HTTPServer(HTTPServerConfiguration(), report: { _ in }) { _ in
      try await Task.sleep(for: .seconds(60))
      return HTTPResponse()
    }
    let receiver = try NotificationReceiver()
    try await withShop(receiver, environment: "Sandbox") { fleet in
      let slow = NotificationEndpoint(url: "http://127.0.0.1:\(server.port)/", timeoutMilliseconds: 200)
      _ = try await fleet.ask(SetNotificationURL(slow), of: fleet.world)
      try await fleet.account("alice").buy(Product.coins)
      try await fleet.settle()
      #expect(try await entries(fleet).map { $0.sendAttempts.map(\.sendAttemptResult) } == [[.timedOut]])
    }
    await server.stop(within: .zero)
  }

  @Test func manyNotificationsOfAJumpArriveInOrderForEachAccount() async throws {
    let receiver = try NotificationReceiver()
    try await withShop(receiver, environment: "Sandbox") { fleet in
      try await fleet.account("alice").buy("com.example.app.monthly")
      try await advance(fleet, hours: 366 * 24)
      try await fleet.settle()
      let words = try receiver.notifications().map(\.words)
      #expect(words == ["SUBSCRIBED INITIAL_BUY"] + Array(repeating: "DID_RENEW", count: 12))
    }
  }
}
