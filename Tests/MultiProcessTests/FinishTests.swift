import Fleet
import Shared
import Testing
import Wire

/// Client processes that are killed around `finish()`.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct FinishTests {
  @Test func aKillBetweenPurchaseAndFinishOffersTheTransactionAgainUntilItIsFinished() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      _ = try await fleet.ask(HoldGate(gate: .finish, held: true), of: fleet.device("phone"))
      try await fleet.tapBuy(Product.coins, on: "phone", waits: false)
      let bought = try await fleet.until("phone", "holds the purchase unfinished") { $0.unfinished.count == 1 }
        .unfinished

      try await fleet.processes.restartClient(1)
      try await fleet.launch("phone")
      let offered = try await fleet.until("phone", "has finished the purchase") { $0.unfinished.isEmpty }
      #expect(offered.updates.map(\.transactionId) == bought, "offered once, through Transaction.updates")

      try await expectOnlyNews(fleet, relaunch: { try await fleet.kill("phone") })
      try await expectOnlyNews(fleet, relaunch: { try await fleet.processes.restartClient(1) })
      #expect(try await fleet.purchases(of: "alice").count == 3, "and it was bought once")
    }
  }

  @Test func whatFinishReturnedForIsNotOfferedAfterAKill() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      // The tap is over when the app's purchase code is, and its last line is `finish()`.
      #expect(try await fleet.tapBuy(Product.coins, on: "phone") == "completed")
      try await expectOnlyNews(fleet, relaunch: { try await fleet.processes.restartClient(1) })
    }
  }

  /// Relaunches the app. What was to be offered again would come before something new, so only that may come.
  private func expectOnlyNews(_ fleet: TestFleet, relaunch: () async throws -> Void) async throws {
    try await relaunch()
    try await fleet.launch("phone")
    try await fleet.settle()
    let news = try await fleet.buy(Product.seasonPass, for: "alice")
    let report = try await fleet.until("phone", "has finished the new purchase") {
      $0.updates.contains { $0.transactionId == news } && $0.unfinished.isEmpty
    }
    #expect(report.updates.map(\.transactionId) == [news])
  }
}
