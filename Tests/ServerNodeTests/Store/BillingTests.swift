import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Renewals that cannot be charged: grace, retry, recovery.
@Suite struct BillingTests {
  private static func date(_ text: String) throws -> StoreTime { try AccountStage.date("\(text)T00:00:00Z") }

  /// A monthly plan from 1 January whose renewal on 1 February fails.
  private static func failing(_ grace: GracePeriod?, _ product: String = "pro.monthly") throws -> AccountStage {
    var stage = try AccountStage(gracePeriod: grace)
    try stage.buy(product)
    try stage.billing(fails: true)
    try stage.advance(to: date("2026-02-01"))
    return stage
  }

  @Test func br43GraceKeepsAccessAfterItsDateAndRetryDoesNot() throws {
    var stage = try Self.failing(GracePeriod(.sixteenDays))
    #expect(stage.status == .inGracePeriod)
    #expect(stage.info()?.gracePeriodExpiresDate == (try Self.date("2026-02-17")))
    #expect(stage.info()?.expirationIntent == ExpirationIntent.billingError)
    #expect(stage.info()?.isInBillingRetry == true)
    try stage.advance(to: Self.date("2026-02-17").advanced(by: -1))
    #expect(stage.entitled == ["pro.monthly"])
    #expect(stage.records.map(\.expiresDate) == [try Self.date("2026-02-01")], "the old transaction, with its old end")
    try stage.advance(to: Self.date("2026-02-17"))
    #expect(stage.status == .inBillingRetryPeriod)
    #expect(stage.info()?.gracePeriodExpiresDate == nil)
    #expect(stage.entitled.isEmpty)
    // 60 days of retry, the grace period included.
    try stage.advance(to: Self.date("2026-04-02").advanced(by: -1))
    #expect(stage.status == .inBillingRetryPeriod)
    try stage.advance(to: Self.date("2026-04-02"))
    #expect(stage.status == .expired)
    #expect(stage.info()?.expirationIntent == ExpirationIntent.billingError)
    #expect(stage.state.timers.isEmpty)
  }

  @Test func br43WithoutGraceTheAccessEndsAtOnce() throws {
    let stage = try Self.failing(nil)
    #expect(stage.status == .inBillingRetryPeriod)
    #expect(stage.entitled.isEmpty)
    #expect(stage.info()?.expirationIntent == ExpirationIntent.billingError)
    #expect(stage.info()?.isInBillingRetry == true)
    #expect(stage.state.timers.values.map(\.self) == [try Self.date("2026-04-02")])
  }

  @Test func recoveryInGraceKeepsTheDatesOfTheCycle() throws {
    var stage = try Self.failing(GracePeriod(.sixteenDays))
    try stage.advance(to: Self.date("2026-02-11"))
    try stage.billing(fails: false)
    #expect(stage.status == .subscribed)
    #expect(stage.info()?.expirationIntent == nil && stage.info()?.gracePeriodExpiresDate == nil)
    #expect(stage.records.map(\.purchaseDate) == (try ["2026-01-01", "2026-02-01"].map(Self.date)))
    #expect(stage.records.map(\.expiresDate) == (try ["2026-02-01", "2026-03-01"].map(Self.date)))
    #expect(stage.records[1].transactionReason == .renewal)
    #expect(stage.records[1].originalTransactionId == stage.records[0].transactionId)
  }

  @Test func recoveryAfterGraceBeginsANewCycleOnThatDay() throws {
    var stage = try Self.failing(GracePeriod(.threeDays))
    try stage.advance(to: Self.date("2026-02-11"))
    try stage.billing(fails: false)
    #expect(stage.records.last?.purchaseDate == (try Self.date("2026-02-11")))
    #expect(stage.records.last?.transactionReason == .renewal)
    #expect(stage.entitled == ["pro.monthly"])
    try stage.advance(to: Self.date("2026-04-11"))
    #expect(stage.records.last?.expiresDate == (try Self.date("2026-05-11")), "the new day counts from now on")
  }

  @Test func recoveryOfAPeriodThatIsOverBeginsNow() throws {
    var stage = try AccountStage(gracePeriod: GracePeriod(.twentyEightDays), catalog: Self.shortOffer)
    try stage.buy("basic.monthly")
    try stage.billing(fails: true)
    try stage.advance(days: 6)
    #expect(stage.status == .inGracePeriod)
    try stage.billing(fails: false)
    #expect(stage.records.last?.purchaseDate == stage.now)
    #expect(stage.state.timers.values.allSatisfy { $0 > stage.now })
  }

  private static let shortOffer = AccountStage.catalog.replacingOccurrences(
    of: "\"numberOfPeriods\": 3,\n         \"subscriptionPeriod\": \"P1M\"",
    with: "\"numberOfPeriods\": 3,\n         \"subscriptionPeriod\": \"P2D\"")

  @Test func weeklyPlansHaveSixDaysOfGraceAtMost() throws {
    var stage = try AccountStage(gracePeriod: GracePeriod(.twentyEightDays))
    try stage.buy("news.weekly")
    try stage.billing(fails: true, of: "news.weekly")
    let end = try #require(stage.records[0].expiresDate)
    try stage.advance(to: end)
    #expect(stage.info("G2")?.gracePeriodExpiresDate == end.advanced(by: 6 * 86_400_000))
  }

  @Test(arguments: [
    (GracePeriod.Renewals.all, SubscriptionStatus.inGracePeriod), (.paidToPaid, .inBillingRetryPeriod),
  ])
  func renewalAfterATrialHasGraceOnlyWhereAllRenewalsDo(
    renewals: GracePeriod.Renewals, expected: SubscriptionStatus
  ) throws {
    var stage = try AccountStage(gracePeriod: GracePeriod(.sixteenDays, renewals: renewals))
    try stage.buy("pro.yearly")
    try stage.billing(fails: true)
    try stage.advance(days: 7)
    #expect(stage.status == expected)
    let paid = try Self.failing(GracePeriod(.sixteenDays, renewals: renewals))
    #expect(paid.status == .inGracePeriod)
    // The other way round: from a paid period to one that an offer makes free.
    var free = try AccountStage(gracePeriod: GracePeriod(.sixteenDays, renewals: renewals))
    try free.buy("pro.monthly")
    try free.promote("promo.free")
    #expect(free.info()?.renewalPrice == 0)
    try free.billing(fails: true)
    try free.advance(to: Self.date("2026-02-01"))
    #expect(free.status == expected)
  }

  @Test func lengthsAreSettledWhenBillingFails() throws {
    var stage = try Self.failing(GracePeriod(.sixteenDays))
    let timers = stage.state.timers
    stage.world.gracePeriod = nil
    stage.world.timeRate = .oneRenewalEveryTwoSeconds
    #expect(stage.state.timers == timers)
    try stage.advance(to: Self.date("2026-02-17"))
    #expect(stage.state.timers.values.map(\.self) == [try Self.date("2026-04-02")])
  }

  @Test func switchesOfProductsAndOfAllAreApart() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.buy("news.weekly")
    try stage.billing(fails: true, of: "news.weekly")
    try stage.advance(to: Self.date("2026-03-02"))
    #expect(stage.status == .subscribed)
    #expect(stage.info("G2")?.status == .inBillingRetryPeriod)
    try stage.billing(fails: true)
    try stage.billing(fails: false, of: "news.weekly")
    #expect(stage.info("G2")?.status == .inBillingRetryPeriod, "no product can be charged")
    try stage.advance(to: Self.date("2026-04-02"))
    #expect(stage.status == .inBillingRetryPeriod)
    let count = stage.records.count
    try stage.billing(fails: false)
    #expect(stage.entitled == ["news.weekly", "pro.monthly"])
    #expect(stage.records.count == count + 2)
    #expect(Set(stage.records.map(\.transactionId)).count == stage.records.count)
  }

  @Test func autoRenewOffEndsGraceAndRetryAtOnce() throws {
    for grace in [nil, GracePeriod(.sixteenDays)] {
      var stage = try Self.failing(grace)
      try stage.advance(days: 1)
      try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
      #expect(stage.status == .expired)
      #expect(stage.info()?.expirationIntent == ExpirationIntent.cancelled)
      #expect(stage.entitled.isEmpty && stage.state.timers.isEmpty)
      try stage.billing(fails: false)
      #expect(stage.records.count == 1, "what has ended is not charged for")
    }
  }

  @Test func br48PurchaseInTheSameGroupStopsTheRetry() throws {
    var stage = try Self.failing(nil, "basic.yearly")
    try stage.advance(to: AccountStage.date("2027-01-05T00:00:00Z"))
    #expect(stage.status == .inBillingRetryPeriod)
    try stage.buy("pro.monthly")
    try stage.billing(fails: false)
    try stage.advance(days: 60)
    #expect(Set(stage.records.map(\.originalTransactionId)).count == 1, "one chain")
    #expect(stage.records.map(\.productId) == ["basic.yearly", "pro.monthly", "pro.monthly", "pro.monthly"])
    #expect(stage.entitled == ["pro.monthly"])
  }

  /// The subscriber never had an introductory offer, and the plan has one.
  @Test func br48PurchaseDuringTheRetryHasNoTrialAndAfterItHasOne() throws {
    var stage = try Self.failing(nil)
    var lapsed = stage
    #expect(stage.status == .inBillingRetryPeriod)
    try stage.buy("pro.yearly")
    #expect(stage.records.last?.offer == nil, "a subscription that is being retried is not over")
    #expect(stage.records.last?.price == 99_990)
    try lapsed.advance(days: 60)
    #expect(lapsed.status == .expired)
    try lapsed.buy("pro.yearly")
    #expect(lapsed.records.last?.offer?.discountType == "FREE_TRIAL")
  }

  @Test func br48OtherGroupsBothCharge() throws {
    var stage = try Self.failing(nil)
    try stage.buy("news.weekly")
    try stage.billing(fails: false)
    #expect(stage.entitled == ["news.weekly", "pro.monthly"])
    #expect(Set(stage.records.map(\.originalTransactionId)).count == 2)
  }

  @Test func acceleratedRetryEndsByTheTableOfTheRate() throws {
    var stage = try AccountStage(timeRate: .monthlyRenewalEveryFiveMinutes, gracePeriod: GracePeriod(.sixteenDays))
    try stage.buy("pro.monthly")
    try stage.billing(fails: true)
    let renewal = stage.now.advanced(by: 300_000)
    for (milliseconds, status) in [
      (0, SubscriptionStatus.inGracePeriod), (149_999, .inGracePeriod), (150_000, .inBillingRetryPeriod),
      (599_999, .inBillingRetryPeriod), (600_000, .expired),
    ] {
      try stage.advance(to: renewal.advanced(by: Int64(milliseconds)))
      #expect(stage.status == status, "\(milliseconds) ms after the renewal")
    }
  }

  @Test func seriesGoesOnOverShortGapsAndStartsAnewAfterLongOnes() throws {
    for (days, isOneSeries) in [(60, true), (61, false)] {
      var stage = try AccountStage()
      let start = stage.now
      try stage.buy("pro.monthly")
      try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
      try stage.advance(days: Int64(31 + days))
      try stage.buy("pro.monthly")
      #expect(stage.info()?.recentSubscriptionStartDate == (isOneSeries ? start : stage.now), "\(days) days")
    }
    var quick = try AccountStage(timeRate: .monthlyRenewalEveryHour)
    try quick.buy("pro.monthly")
    try quick.billing(fails: true)
    try quick.advance(to: quick.now.advanced(by: 3_600_000 + 600_001))
    try quick.billing(fails: false)
    #expect(quick.info()?.recentSubscriptionStartDate == quick.now, "ten minutes in the sandbox")
  }

  @Test func familyFollowsThroughGraceRetryAndRecovery() throws {
    let store = try StoreHarness(catalog: AccountStage.catalog, gracePeriod: GracePeriod(.sixteenDays))
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    _ = try store.ask(Purchase(productId: "pro.monthly"), of: store.account("mum"))
    _ = try store.ask(SetBilling(fails: true), of: store.account("mum"))
    for (days, status) in [(32, SubscriptionStatus.inGracePeriod), (16, .inBillingRetryPeriod)] {
      _ = try store.ask(AdvanceClock(.by(milliseconds: Int64(days) * 86_400_000)), of: store.worldAddress)
      let kid = try store.history(of: "kid")
      #expect(kid.renewalInfos.values.map(\.status) == [status])
      #expect(kid.currentEntitlements().count == (status == .inGracePeriod ? 1 : 0))
    }
    _ = try store.ask(SetBilling(fails: false), of: store.account("mum"))
    #expect(try store.history(of: "kid").currentEntitlements().count == 1)
    #expect(
      try store.events(of: "kid").suffix(4) == ["granted", "billingFailed", "gracePeriodExpired", "billingRecovered"])
  }
}
