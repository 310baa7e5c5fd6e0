import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// How often accelerated subscriptions renew, and rates that change.
@Suite struct RenewalLimitTests {
  @Test(arguments: [
    (TimeRate.monthlyRenewalEveryHour, 12), (.monthlyRenewalEveryFiveMinutes, 12),
    (.monthlyRenewalEveryThreeMinutes, 12), (.sandbox2021, 6), (.testFlight, 6),
  ])
  func subscriptionLapsesAfterTheLastRenewal(rate: TimeRate, most: Int) throws {
    var stage = try AccountStage(timeRate: rate)
    try stage.buy("pro.monthly")
    let period = try #require(stage.records[0].expiresDate).milliseconds - stage.now.milliseconds
    try stage.advance(to: stage.now.advanced(by: period * Int64(most + 1) - 1))
    #expect(stage.records.count == most + 1)
    #expect(stage.entitled == ["pro.monthly"])
    try stage.advance(to: stage.now.advanced(by: 1))
    #expect(stage.status == .expired)
    #expect(stage.info()?.willAutoRenew == false)
    #expect(stage.info()?.expirationIntent == ExpirationIntent.cancelled)
    #expect(stage.records.count == most + 1)
    // Buying again starts a new count.
    try stage.buy("pro.monthly")
    try stage.advance(to: stage.now.advanced(by: period * 2))
    #expect(stage.records.count == most + 4)
  }

  @Test(arguments: [TimeRate.realTime, .monthlyRenewalEveryThirtySeconds, .oneRenewalEveryTwoSeconds])
  func otherRatesHaveNoLimit(rate: TimeRate) throws {
    var stage = try AccountStage(timeRate: rate)
    try stage.buy("pro.monthly")
    for _ in 0..<30 { try stage.advance(to: try #require(stage.info()?.renewalDate)) }
    #expect(stage.records.count == 31)
    #expect(stage.status == .subscribed)
  }

  @Test func storeKitTestingInXcodeHasNoLimit() throws {
    var stage = try AccountStage(timeRate: .monthlyRenewalEveryFiveMinutes)
    stage.world.environment = "Xcode"
    try stage.buy("pro.monthly")
    try stage.advance(to: stage.now.advanced(by: 300_000 * 20))
    #expect(stage.records.count == 21)
  }

  @Test func fixedRatesShortenTrialsAlike() throws {
    var stage = try AccountStage(timeRate: .oneRenewalEveryTwoSeconds)
    try stage.buy("pro.yearly")
    try stage.advance(to: stage.now.advanced(by: 6_000))
    #expect(stage.records.map(\.price) == [0, 99_990, 99_990, 99_990])
    for (earlier, later) in zip(stage.records, stage.records.dropFirst()) {
      #expect(earlier.expiresDate == later.purchaseDate)
      #expect(later.purchaseDate == earlier.purchaseDate.advanced(by: 2_000))
    }
  }

  @Test func br46RenewalsAreAsManyAsTheClockSays() throws {
    var stage = try AccountStage(timeRate: .oneRenewalEveryTwoSeconds)
    try stage.buy("pro.monthly")
    let now = stage.now
    for _ in 0..<100 { #expect(stage.entitled == ["pro.monthly"]) }
    #expect(stage.now == now && stage.records.count == 1, "a clock that stands still renews nothing")
    try stage.advance(to: now.advanced(by: 2_000 * 1_000))
    #expect(stage.records.count == 1_001)
  }

  @Test func newRateLeavesTheScheduledRenewalAndCountsFromIt() throws {
    var stage = try AccountStage(at: AccountStage.date("2026-01-31T00:00:00Z"))
    try stage.buy("pro.monthly")
    let end = try AccountStage.date("2026-02-28T00:00:00Z")
    stage.world.timeRate = .oneRenewalEveryMinute
    #expect(stage.state.timers.values.map(\.self) == [end])
    try stage.advance(to: end.advanced(by: 60_000))
    #expect(stage.records.last?.expiresDate == end.advanced(by: 120_000))
    stage.world.timeRate = .realTime
    try stage.advance(to: end.advanced(by: 120_000))
    #expect(stage.records.last?.expiresDate == (try AccountStage.date("2026-03-28T00:02:00Z")))
    #expect(stage.records.count == 4)
  }

  @Test func worldsRateChangesWhileTheNodeRunsAndSurvivesARestart() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("monthly", by: "alice")
    let before = try #require(try store.history(of: "alice").renewalInfos.values.first?.renewalDate)
    _ = try store.ask(SetTimeRate(.oneRenewalEveryMinute), of: store.worldAddress)
    _ = try store.ask(SetTimeRate(.oneRenewalEveryMinute), of: store.worldAddress)
    try store.restart()
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).timeRate == .oneRenewalEveryMinute)
    #expect(try store.history(of: "alice").renewalInfos.values.first?.renewalDate == before)
    _ = try store.ask(AdvanceClock(.to(before)), of: store.worldAddress)
    #expect(
      try store.history(of: "alice").renewalInfos.values.first?.renewalDate == before.advanced(by: 60_000))
    // The same world again is the same world, whatever its rate is by now.
    let catalog = try StoreHarness.demoCatalog()
    let again = CreateWorld(catalog: catalog, clock: .manual(startsAt: StoreHarness.start))
    #expect(try store.ask(again, of: store.worldAddress).timeRate == .oneRenewalEveryMinute)
  }
}
