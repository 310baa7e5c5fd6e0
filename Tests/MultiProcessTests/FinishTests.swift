import Fleet
import FleetTesting
import Shared
import Testing
import Wire

/// Client processes that are killed around `finish()`.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct FinishTests {
  @Test func aKillBetweenPurchaseAndFinishOffersTheTransactionAgainUntilItIsFinished() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      try await fleet.device("phone").hold(.finish)
      try await fleet.device("phone").startBuying(Product.coins)
      let bought = try await fleet.device("phone").expect("holds the purchase unfinished") { $0.unfinished.count == 1 }
        .unfinished

      try await fleet.processes.restartClient(1)
      try await fleet.device("phone").launch()
      let offered = try await fleet.device("phone").expect("has finished the purchase") { $0.unfinished.isEmpty }
      #expect(offered.updates.map(\.transactionID) == bought, "offered once, through Transaction.updates")

      try await expectOnlyNews(fleet, relaunch: { try await fleet.device("phone").kill() })
      try await expectOnlyNews(fleet, relaunch: { try await fleet.processes.restartClient(1) })
      #expect(try await fleet.purchases(of: "alice").count == 3, "and it was bought once")
    }
  }

  @Test func whatFinishReturnedForIsNotOfferedAfterAKill() async throws {
    try await withFleet(["alice": ["phone"]]) { fleet in
      // The tap is over when the app's purchase code is, and its last line is `finish()`.
      #expect(try await fleet.device("phone").buy(Product.coins) == .completed)
      try await expectOnlyNews(fleet, relaunch: { try await fleet.processes.restartClient(1) })
    }
  }

  /// Relaunches the app. What was to be offered again would come before something new, so only that may come.
  private func expectOnlyNews(_ fleet: FleetTesting.Fleet, relaunch: () async throws -> Void) async throws {
    try await relaunch()
    try await fleet.device("phone").launch()
    try await fleet.settle()
    let news = try #require(try await fleet.account("alice").buy(Product.seasonPass))
    let report = try await fleet.device("phone").expect("has finished the new purchase") {
      $0.updates.contains { $0.transactionID == news } && $0.unfinished.isEmpty
    }
    #expect(report.updates.map(\.transactionID) == [news])
  }
}
