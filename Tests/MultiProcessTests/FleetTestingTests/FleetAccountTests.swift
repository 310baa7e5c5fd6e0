import FleetTesting
import Foundation
import Testing

/// What happens to accounts outside of any app, on a clock that a test moves.
@Suite(.timeLimit(.minutes(3)))
struct FleetAccountTests {
  private static let newYear = Date(timeIntervalSince1970: 1_767_225_600)

  /// Without trials: the built-in catalogue's monthly plan has none.
  private func run(
    _ accounts: [String: [String]] = ["alice": ["phone"]], states: [String: [FleetState]] = [:],
    _ body: (FleetTesting.Fleet) async throws -> Void
  ) async throws {
    try await FleetTesting.Fleet.run(
      accounts, states: states, clock: .manual(startsAt: Self.newYear), gracePeriod: .sixteenDays, body)
  }

  @Test func billingFailsAndRecoversWithinTheGracePeriod() async throws {
    try await run { fleet in
      let (alice, phone) = (fleet.account("alice"), fleet.device("phone"))
      #expect(try await phone.buy(Product.monthly) == .completed)
      try await alice.failBilling(Product.monthly)
      try await fleet.clock.advance(by: .days(32))
      try await phone.expect("is in grace") { $0.unlocked == [Product.monthly] }
      try await fleet.clock.advance(by: .days(16))
      try await phone.expect("is out") { $0.access == .locked }
      try await alice.recoverBilling(Product.monthly)
      try await phone.expect("is in again") { $0.unlocked == [Product.monthly] }
      #expect(try await alice.transactions().count == 2)
      try await fleet.expectAgreement()
    }
  }

  @Test func pricesPlansAndPeriodsChange() async throws {
    try await run { fleet in
      let (alice, phone) = (fleet.account("alice"), fleet.device("phone"))
      let refusal = await #expect(throws: FleetTestingError.self) { try await alice.changePlan(to: Product.yearly) }
      #expect(refusal?.message.contains("alice has no subscription that could change") == true)
      try await phone.buy(Product.monthly)
      try await alice.raisePrice(Product.monthly, to: 6.99)
      try await alice.agreeToPrice()
      try await fleet.clock.advance(by: .days(32))
      let renewal = try #require(try await alice.transactions().last)
      #expect(renewal.isRenewal && renewal.price == Decimal(string: "6.99"))

      try await alice.extend(Product.monthly, days: 30, reason: .outage)
      try await fleet.clock.advance(by: .days(31))
      #expect(try await alice.transactions().count == 2, "the next renewal is later")
      try await fleet.clock.advance(by: .days(30))
      #expect(try await alice.transactions().count == 3)

      try await alice.changePlan(to: Product.yearly)
      try await phone.expect("has the larger plan") { $0.unlocked == [Product.yearly] }
      #expect(try await alice.transactions().contains { $0.productID == Product.monthly && $0.isUpgraded })
      try await alice.raisePrice(Product.yearly, to: 49.99)
      try await alice.declinePrice(Product.yearly)
      try await fleet.clock.advance(by: .days(400))
      try await phone.expect("did not renew") { $0.access == .locked }
    }
  }

  @Test func moneyGoesBackOrDoesNot() async throws {
    try await run { fleet in
      let (alice, phone) = (fleet.account("alice"), fleet.device("phone"))
      try await phone.buy(Product.lifetime)
      try await alice.requestRefund(Product.lifetime, reason: .unintendedPurchase)
      try await alice.declineRefund(Product.lifetime)
      try await alice.refund(Product.lifetime)
      try await phone.expect("lost it") { $0.access == .locked && $0.updates.contains { $0.isRevoked } }
      try await alice.reverseRefund(Product.lifetime)
      try await phone.expect("has it back") { $0.unlocked == [Product.lifetime] }

      try await alice.buy(Product.coins, quantity: 3)
      let nobodyAsks = await #expect(throws: FleetTestingError.self) { try await alice.tellConsumption(Product.coins) }
      #expect(nobodyAsks?.message.contains("does not ask for money back") == true)
      try await alice.requestRefund(Product.coins, reason: .fulfillmentIssue)
      try await alice.tellConsumption(Product.coins, percent: 40, preferring: .grantProrated)
      let coins = try #require(try await alice.transactions().last)
      #expect(coins.quantity == 3 && coins.revocationDate != nil)
      await #expect(throws: FleetTestingError.self) { try await alice.refund(Product.lifetime, percent: 0) }
      try await alice.reset()
      #expect(try await alice.transactions().isEmpty)
      // Nothing is announced; an app reads it at its next launch.
      try await phone.kill()
      try await phone.launch()
      try await phone.expect("has nothing") { $0.access == .locked }
    }
  }

  @Test func aTestBeginsInTheStateThatItNeeds() async throws {
    try await run(
      ["bob": ["b"], "carl": ["c"], "dora": ["d"], "zoe": ["z"]],
      states: [
        "bob": [.lapsed(Product.monthly, ago: .days(40)), .owns(Product.lifetime, ago: .days(3))],
        "carl": [.grace(Product.monthly, for: .days(2))], "dora": [.refunded(Product.lifetime, ago: .hours(5))],
        "zoe": [.trial(Product.yearly, left: .minutes(5))],
      ]
    ) { fleet in
      #expect(try await fleet.clock.now == Self.newYear)
      try await fleet.device("b").expect("owns") { $0.unlocked == [Product.lifetime] }
      try await fleet.device("c").expect("is in grace") { $0.unlocked == [Product.monthly] }
      try await fleet.device("d").expect("got its money back") { $0.access == .locked }
      try await fleet.device("z").expect("tries it out") { $0.unlocked == [Product.yearly] }
      try await fleet.clock.advance(by: .minutes(6))
      #expect(try await fleet.account("zoe").transactions().map(\.isRenewal) == [false, true])
      try await fleet.expectAgreement()

      // Forward, on a fleet that runs.
      try await fleet.account("dora").start(.retry(Product.monthly, for: .days(20)))
      try await fleet.device("d").expect("may not use it") { $0.access == .locked }
      let early = await #expect(throws: FleetTestingError.self) {
        try await fleet.account("bob").start(.trial(Product.monthly, left: .days(1)))
      }
      #expect(early?.message == "'\(Product.monthly)' has no free trial")
    }
    let real = await #expect(throws: FleetTestingError.self) {
      try await FleetTesting.Fleet.run(["alice": []], states: ["alice": [.owns(Product.coins)]]) { _ in }
    }
    #expect(real?.message.contains("needs a manual clock") == true)
  }

  @Test func codesAreRedeemed() async throws {
    try await FleetTesting.Fleet.run(
      ["alice": ["phone"]], catalog: .file(Repository.path("Fixtures/Demo.storekit"))
    ) { fleet in
      let alice = fleet.account("alice")
      #expect(try await alice.redeem(Product.yearly, .named("workshop")) != nil)
      #expect(try await alice.transactions().map(\.offerID) != [nil])
      try await fleet.device("phone").expect("has the plan") { $0.unlocked == [Product.yearly] }
      await #expect(throws: FleetTestingError.self) { try await alice.redeem(Product.yearly, .code("nonsense")) }
      let key = try await fleet.offerKey()
      #expect(!key.id.isEmpty && key.privateKey.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    }
  }
}
