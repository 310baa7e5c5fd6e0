import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Offers, periods and plan changes of one account's subscriptions.
@Suite struct SubscriptionTests {
  // MARK: Introductory offers

  @Test func freeTrialCostsNothingAndRenewsAtTheFullPrice() throws {
    var stage = try AccountStage()
    try stage.buy("pro.yearly")
    try stage.advance(days: 8)
    #expect(stage.records.map(\.price) == [0, 99_990])
    #expect(stage.records.map { $0.offer?.discountType } == ["FREE_TRIAL", nil])
    #expect(stage.records[0].offer?.period == "P1W")
    #expect(stage.records[0].expiresDate == stage.records[0].purchaseDate.advanced(by: 7 * 86_400_000))
    #expect(stage.records.map(\.transactionReason) == [.purchase, .renewal])
    #expect(Set(stage.records.map(\.originalTransactionId)).count == 1)
    #expect(Set(stage.records.map(\.webOrderLineItemId)).count == 2)
  }

  @Test func payUpFrontIsOnePeriodOfTheWholeOffer() throws {
    var stage = try AccountStage(at: AccountStage.date("2026-01-31T12:00:00Z"))
    try stage.buy("news.weekly")
    #expect(stage.records[0].price == 2_990)
    #expect(stage.records[0].offer?.discountType == "PAY_UP_FRONT")
    #expect(stage.records[0].expiresDate == (try AccountStage.date("2026-03-31T12:00:00Z")))
    try stage.advance(to: AccountStage.date("2026-03-31T12:00:00Z"))
    #expect(stage.records.map(\.price) == [2_990, 1_990])
    #expect(stage.records[1].expiresDate == (try AccountStage.date("2026-04-07T12:00:00Z")))
  }

  @Test func payAsYouGoChargesEachPeriodOfTheOffer() throws {
    var stage = try AccountStage(at: AccountStage.date("2026-01-31T12:00:00Z"))
    try stage.buy("basic.monthly")
    #expect(stage.info()?.nextOffer?.discountType == "PAY_AS_YOU_GO")
    #expect(stage.info()?.renewalPrice == 990)
    try stage.advance(to: AccountStage.date("2026-05-31T12:00:00Z"))
    #expect(stage.records.map(\.price) == [990, 990, 990, 4_990, 4_990])
    #expect(stage.records.map { $0.offer != nil } == [true, true, true, false, false])
    #expect(stage.records.allSatisfy { $0.offer?.period ?? "P3M" == "P3M" })
    // The day of the month is the first purchase's, through the end of the offer too.
    let days = try ["02-28", "03-31", "04-30", "05-31", "06-30"].map { try AccountStage.date("2026-\($0)T12:00:00Z") }
    #expect(stage.records.map(\.expiresDate) == days)
    #expect(stage.info()?.nextOffer == nil)
    #expect(stage.info()?.renewalPrice == 4_990)
  }

  @Test func planChangeInsideAnOfferGivesUpTheOfferAndGoingBackKeepsIt() throws {
    var stage = try AccountStage()
    try stage.buy("basic.monthly")
    try stage.buy("pro.monthly")
    // An upgrade gets no introductory offer and no rest of the old one.
    #expect(stage.records.map(\.isUpgraded) == [true, false])
    #expect(stage.records[1].offer == nil && stage.records[1].price == 9_990)
    #expect(stage.info()?.nextOffer == nil)

    var other = try AccountStage()
    try other.buy("basic.monthly")
    try other.play(.setAutoRenew(SetAutoRenew(productId: "basic.monthly", on: false)))
    try other.play(.setAutoRenew(SetAutoRenew(productId: "basic.monthly", on: true)))
    #expect(other.info()?.renewalPrice == 990)
    #expect(other.info()?.nextOffer != nil)
  }

  // MARK: Eligibility

  @Test func eligibilityIsPerGroup() throws {
    var stage = try AccountStage()
    func eligible(_ group: String) -> Bool { stage.state.isEligibleForIntroductoryOffer(inGroup: group) }
    #expect(eligible("G1") && eligible("G2"))
    try stage.buy("pro.monthly")  // without an offer: an active subscriber, who has not used one
    #expect(!eligible("G1") && eligible("G2"))
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
    try stage.advance(days: 40)
    #expect(eligible("G1"), "lapsed, and never had an offer")
    try stage.buy("pro.yearly")
    #expect(stage.records.last?.offer?.type == AppliedOffer.introductory)
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.yearly", on: false)))
    try stage.advance(days: 10)
    #expect(!eligible("G1"), "lapsed after the trial")
    try stage.buy("basic.monthly")
    #expect(stage.records.last?.offer == nil)
    #expect(eligible("G2"))
  }

  @Test func refundedTrialIsSpentAndAFamilysTrialIsNot() throws {
    var stage = try AccountStage()
    try stage.buy("pro.yearly")
    try stage.play(.refund(Refund(productId: "pro.yearly")))
    #expect(!stage.state.isEligibleForIntroductoryOffer(inGroup: "G1"))
    var kid = try AccountStage("kid", ordinal: 3)
    try kid.play(.joinFamily("f"))
    try kid.play(.receiveShared(AccountOutcomeTests.item("pro.yearly", of: "mum")))
    #expect(kid.state.isEligibleForIntroductoryOffer(inGroup: "G1"))
    try kid.buy("pro.yearly")
    #expect(kid.records.last?.offer?.discountType == "FREE_TRIAL")
  }

  // MARK: Dates

  @Test(arguments: [
    ("pro.monthly", "2026-01-29", ["2026-02-28", "2026-03-29", "2026-04-29"]),
    ("pro.monthly", "2026-01-30", ["2026-02-28", "2026-03-30", "2026-04-30"]),
    ("pro.monthly", "2026-01-31", ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"]),
    ("pro.monthly", "2028-01-31", ["2028-02-29", "2028-03-31", "2028-04-30"]),
    ("pro.monthly", "2027-12-31", ["2028-01-31", "2028-02-29", "2028-03-31"]),
    ("pro.monthly", "2100-01-31", ["2100-02-28", "2100-03-31"]),
  ])
  func monthsEndOnTheDayOfTheFirstPurchase(product: String, start: String, ends: [String]) throws {
    var stage = try AccountStage(at: AccountStage.date("\(start)T23:30:00Z"))
    try stage.buy(product)
    let dates = try ends.map { try AccountStage.date("\($0)T23:30:00Z") }
    try stage.advance(to: try #require(dates.last).advanced(by: -1))
    #expect(stage.records.map(\.expiresDate) == dates)
    for (earlier, later) in zip(stage.records, stage.records.dropFirst()) {
      #expect(earlier.expiresDate == later.purchaseDate)
    }
  }

  @Test func yearFromALeapDayEndsOnTheLastOfFebruary() throws {
    var stage = try AccountStage(at: AccountStage.date("2028-02-29T08:00:00Z"))
    try stage.buy("pro.monthly")  // spends no offer, and makes the yearly plan come without one
    try stage.buy("pro.yearly")
    try stage.advance(to: AccountStage.date("2033-01-01T00:00:00Z"))
    let years = stage.records.filter { $0.productId == "pro.yearly" }
    #expect(years.first?.purchaseDate == (try AccountStage.date("2028-03-29T08:00:00Z")))

    let leap = try AccountStage.date("2028-02-29T08:00:00Z")
    let year = try #require(SubscriptionPeriod("P1Y"))
    let ends = (1...4).map { TimeRate.realTime.end(of: year, times: $0, from: leap) }
    #expect(
      ends
        == (try ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"].map {
          try AccountStage.date("\($0)T08:00:00Z")
        }))
  }

  /// Apple: SKTestSession.TimeRate and the sandbox's renewal rates.
  @Test(arguments: [
    (TimeRate.monthlyRenewalEveryHour, "P1W", 900), (.monthlyRenewalEveryHour, "P1M", 3_600),
    (.monthlyRenewalEveryHour, "P1Y", 43_200), (.monthlyRenewalEveryThirtyMinutes, "P1W", 600),
    (.monthlyRenewalEveryThirtyMinutes, "P6M", 10_800), (.monthlyRenewalEveryFifteenMinutes, "P1W", 300),
    (.monthlyRenewalEveryFifteenMinutes, "P1Y", 10_800), (.monthlyRenewalEveryFiveMinutes, "P1W", 180),
    (.monthlyRenewalEveryFiveMinutes, "P2M", 600), (.monthlyRenewalEveryFiveMinutes, "P3M", 900),
    (.monthlyRenewalEveryFiveMinutes, "P1Y", 3_600), (.monthlyRenewalEveryThirtySeconds, "P1W", 10),
    (.monthlyRenewalEveryThirtySeconds, "P1M", 30), (.monthlyRenewalEveryThirtySeconds, "P1Y", 360),
  ])
  func acceleratedPeriodsHaveApplesLengths(rate: TimeRate, period: String, seconds: Int64) throws {
    let start = StoreTime(milliseconds: 1_767_225_600_000)
    let period = try #require(SubscriptionPeriod(period))
    #expect(rate.end(of: period, from: start) == start.advanced(by: seconds * 1_000))
  }

  @Test func acceleratedSubscriptionRenewsWithoutGaps() throws {
    var stage = try AccountStage(timeRate: .monthlyRenewalEveryFiveMinutes)
    try stage.buy("basic.monthly")
    try stage.advance(to: stage.now.advanced(by: 3_600_000))
    #expect(stage.records.count == 13)
    for (earlier, later) in zip(stage.records, stage.records.dropFirst()) {
      #expect(earlier.expiresDate == later.purchaseDate)
      #expect(later.expiresDate == later.purchaseDate.advanced(by: 300_000))
    }
    #expect(stage.records.prefix(4).map(\.price) == [990, 990, 990, 4_990])
  }

  // MARK: Plan changes

  @Test func upgradeIsNowWithANewPeriodAndMarksTheOldOne() throws {
    var stage = try AccountStage()
    try stage.buy("basic.monthly")
    try stage.advance(days: 10)
    try stage.buy("pro.monthly")
    #expect(stage.records.map(\.isUpgraded) == [true, false])
    #expect(stage.records[1].purchaseDate == stage.now)
    #expect(stage.records[1].originalTransactionId == stage.records[0].originalTransactionId)
    #expect(stage.records[1].transactionReason == .purchase)
    #expect(stage.entitled == ["pro.monthly"])
    #expect(stage.state.timers.count == 1)
  }

  @Test func downgradeWaitsForTheRenewalAndCanBeTakenBack() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    let decision = try stage.buy("basic.monthly")
    #expect(decision.outcome == .existing(stage.records[0].transactionId))
    #expect(stage.info()?.autoRenewProductId == "basic.monthly")
    #expect(stage.info()?.renewalPrice == 4_990)
    #expect(stage.entitled == ["pro.monthly"])
    var back = stage
    try back.buy("pro.monthly")
    #expect(back.info()?.autoRenewProductId == "pro.monthly")
    #expect(back.info()?.renewalPrice == 9_990)
    try stage.advance(days: 32)
    #expect(stage.entitled == ["basic.monthly"])
    #expect(stage.records.last?.transactionReason == .renewal)
    #expect(stage.records.last?.price == 4_990)
    #expect(stage.records.last?.offer == nil, "no introductory offer on a plan change")
  }

  @Test func autoRenewSwitchedOnAgainRenewsThePlanThatRuns() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.buy("basic.monthly")
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: true)))
    #expect(stage.info()?.autoRenewProductId == "pro.monthly")
    #expect(stage.info()?.renewalPrice == 9_990)
  }

  @Test func crossgradeIsNowWhenPeriodsAreEqualAndElseAtTheRenewal() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.buy("pro.other")
    #expect(stage.entitled == ["pro.other"])
    var later = try AccountStage()
    try later.buy("pro.monthly")
    try later.buy("pro.yearly")
    #expect(later.entitled == ["pro.monthly"])
    try later.advance(days: 31)
    #expect(later.entitled == ["pro.yearly"])
  }

  @Test func oneActiveSubscriptionPerGroupAndGroupsDoNotMeet() throws {
    var stage = try AccountStage()
    for product in ["pro.monthly", "basic.monthly", "pro.other", "news.weekly"] { try stage.buy(product) }
    #expect(stage.entitled == ["news.weekly", "pro.other"])
    #expect(stage.state.history.renewalInfos.count == 2)
  }

  @Test func resubscribingKeepsTheLineage() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
    try stage.advance(days: 60)
    #expect(stage.info()?.status == .expired)
    #expect(stage.info()?.expirationIntent == ExpirationIntent.cancelled)
    try stage.buy("pro.monthly")
    #expect(Set(stage.records.map(\.originalTransactionId)).count == 1)
    #expect(stage.records[1].originalPurchaseDate == stage.records[0].purchaseDate)
    #expect(stage.info()?.status == .subscribed)
    #expect(stage.info()?.expirationIntent == nil)
    // The gap of 29 days is part of one series.
    #expect(stage.info()?.recentSubscriptionStartDate == stage.records[0].purchaseDate)
  }

  @Test func refundOfTheLatestPeriodEndsTheSubscriptionAndOfAnOlderOneDoesNot() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.advance(days: 32)
    try stage.play(.refund(Refund(transactionId: stage.records[0].transactionId)))
    #expect(stage.entitled == ["pro.monthly"])
    try stage.play(.refund(Refund(productId: "pro.monthly", reason: 1)))
    #expect(stage.entitled.isEmpty)
    #expect(stage.info()?.status == .revoked)
    #expect(stage.records[1].revocation?.reason == 1)
    #expect(stage.state.timers.isEmpty)
  }

  // MARK: Ask to Buy

  @Test func repeatedRequestIsMergedAndItsDayStartsAnew() throws {
    var stage = try AccountStage(asksToBuy: true)
    try stage.buy("private")
    try stage.advance(to: stage.now.advanced(by: 20 * 3_600_000))
    try stage.buy("private")
    var atOnce = stage
    try stage.advance(to: stage.now.advanced(by: 23 * 3_600_000))
    #expect(stage.outcome(.answerAskToBuy(AnswerAskToBuy(approve: true))) == "purchased")
    #expect(stage.records.map(\.purchaseDate) == [stage.now])
    #expect(stage.state.timers.isEmpty)
    // While the first would still wait, too, there is one request: its answer needs no name, and answers both.
    #expect(atOnce.outcome(.answerAskToBuy(AnswerAskToBuy(approve: false))) == "askToBuyDeclined")
    #expect(atOnce.outcome(.answerAskToBuy(AnswerAskToBuy(approve: true))) == "nothingPending")
    #expect(atOnce.state.timers.isEmpty)
  }

  @Test(arguments: [(86_399_999, "purchased"), (86_400_000, "nothingPending")])
  func requestRunsOutAfterADay(milliseconds: Int64, outcome: String) throws {
    var stage = try AccountStage(asksToBuy: true)
    try stage.buy("private")
    try stage.advance(to: stage.now.advanced(by: milliseconds))
    #expect(stage.outcome(.answerAskToBuy(AnswerAskToBuy(approve: true))) == outcome)
  }

  @Test func severalRequestsNeedAName() throws {
    var stage = try AccountStage(asksToBuy: true)
    try stage.buy("private")
    try stage.buy("coins", quantity: 3)
    #expect(stage.outcome(.answerAskToBuy(AnswerAskToBuy(approve: true))) == "wrongState")
    #expect(stage.outcome(.answerAskToBuy(AnswerAskToBuy(approve: true, productId: "coins"))) == "purchased")
    #expect(stage.records.map(\.quantity) == [3])
    #expect(stage.outcome(.answerAskToBuy(AnswerAskToBuy(approve: false))) == "askToBuyDeclined")
    #expect(stage.outcome(.answerAskToBuy(AnswerAskToBuy(approve: true))) == "nothingPending")
  }

  @Test(arguments: ["private", "pro.monthly"])
  func approvalOfWhatIsOwnedByNowSellsNothingTwice(product: String) throws {
    var stage = try AccountStage()
    try stage.buy(product, asks: true)
    try stage.buy(product)
    let decision = try stage.play(.answerAskToBuy(AnswerAskToBuy(approve: true)))
    #expect(decision.outcome == .existing(stage.records[0].transactionId))
    #expect(stage.records.count == 1)
    #expect(stage.state.pending.isEmpty)
  }

  // MARK: Users

  @Test func subscriptionBelongsToTheUserThatItWasBoughtForLast() throws {
    let ann = UUID()
    let ben = UUID()
    var stage = try AccountStage()
    try stage.buy("basic.monthly", token: ann)
    let lineage = try #require(stage.info()?.originalTransactionId)
    try stage.buy("pro.monthly")
    #expect(stage.state.user(ofLineage: lineage) == ann, "a purchase without a token changes nothing")
    try stage.advance(days: 40)
    #expect(stage.state.user(ofLineage: lineage) == ann)
    try stage.buy("pro.other", token: ben)
    #expect(stage.state.user(ofLineage: lineage) == ben)
  }

  @Test func firstClaimStays() throws {
    let ann = UUID()
    var stage = try AccountStage()
    try stage.buy("private")
    let id = stage.records[0].transactionId
    #expect(stage.outcome(.claim(transactionId: id, appAccountToken: ann)) == "claimed")
    #expect(stage.outcome(.claim(transactionId: id, appAccountToken: ann)) == "nothing")
    #expect(stage.outcome(.claim(transactionId: id, appAccountToken: UUID())) == "alreadyClaimed")
  }
}
