import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// What only tests do to an account (Apple: SKTestSession).
@Suite struct TestingVerbTests {
  private let expire = AccountCommand.expire(ExpireSubscription(productId: "pro.monthly"))
  private let renew = AccountCommand.forceRenewal(RenewSubscription(productId: "pro.monthly"))

  private func stage(gracePeriod: GracePeriod? = nil) throws -> AccountStage {
    var stage = try AccountStage(gracePeriod: gracePeriod)
    try stage.buy("pro.monthly")
    return stage
  }

  @Test func expiredSubscriptionIsAsIfItHadBeenCancelledAndHadRunOut() throws {
    var stage = try stage()
    try stage.advance(days: 2)
    #expect(stage.outcome(expire) == "cutShort expired")
    let info = try #require(stage.info())
    #expect(info.status == .expired)
    #expect(!info.willAutoRenew)
    #expect(info.expirationIntent == ExpirationIntent.cancelled)
    #expect(info.renewalDate == stage.now)
    #expect(stage.records.map(\.expiresDate) == [stage.now])
    #expect(stage.entitled == [])
    #expect(stage.state.timers.isEmpty)
    #expect(stage.outcome(expire) == "wrongState")
    #expect(stage.outcome(.purchase(Purchase(productId: "pro.monthly"))) == "purchased")
  }

  @Test func forcedRenewalBeginsANewPeriodNow() throws {
    var stage = try stage()
    try stage.advance(days: 2)
    #expect(stage.outcome(renew) == "cutShort renewed")
    #expect(stage.records.map(\.purchaseDate).last == stage.now)
    #expect(stage.records.map(\.transactionReason) == [.purchase, .renewal])
    #expect(stage.records[0].expiresDate == stage.now)
    #expect(stage.status == .subscribed)
    #expect(Set(stage.records.map(\.originalTransactionId)).count == 1)
  }

  @Test func forcedRenewalSwitchesAutoRenewOnAndForgetsAnIncreaseThatWaits() throws {
    var stage = try stage()
    try stage.play(
      .requestPriceIncrease(
        RequestPriceIncrease(productId: "pro.monthly", priceMilliunits: 19_990, needsConsent: true)))
    try stage.play(.answerPriceIncrease(AnswerPriceIncrease(agree: false)))
    #expect(stage.info()?.willAutoRenew == false)
    #expect(stage.outcome(renew) == "cutShort renewed")
    #expect(stage.info()?.willAutoRenew == true)
    #expect(stage.info()?.priceIncreaseStatus == nil)
    #expect(stage.info()?.renewalPrice == 9_990)
  }

  @Test func renewalThatFailsGoesThroughGraceIntoRetryAndStaysThere() throws {
    var stage = try stage(gracePeriod: GracePeriod(.sixteenDays))
    try stage.billing(fails: true)
    #expect(stage.outcome(renew) == "cutShort billingFailed")
    #expect(stage.status == .inGracePeriod)
    #expect(stage.entitled == ["pro.monthly"])
    #expect(stage.outcome(renew) == "gracePeriodExpired")
    #expect(stage.status == .inBillingRetryPeriod)
    #expect(stage.outcome(renew) == "nothing")
    #expect(stage.outcome(expire) == "cutShort expired")
  }

  @Test func onlyThePlanThatRunsCanBeEnded() throws {
    var stage = try stage()
    for product in ["pro.yearly", "coins"] {
      let expected = product == "coins" ? "notASubscription" : "wrongState"
      #expect(stage.outcome(.expire(ExpireSubscription(productId: product))) == expected)
      #expect(stage.outcome(.forceRenewal(RenewSubscription(productId: product))) == expected)
    }
  }

  @Test func failedRenewalStaysWhenTheSwitchSaysSo() throws {
    var stage = try stage()
    try stage.billing(fails: true)
    try stage.play(renew)
    #expect(stage.outcome(.setBilling(SetBilling(fails: false, recovers: false))) == "billingChanged")
    #expect(stage.status == .inBillingRetryPeriod)
    #expect(
      stage.outcome(.setBilling(SetBilling(productId: "pro.monthly", fails: false))) == "billingRecovered",
      "without a change of the switch too")
  }

  // MARK: The past

  @Test func purchaseOfThePastHasRenewedSince() throws {
    var stage = try AccountStage()
    let past = stage.now.advanced(by: -95 * 86_400_000)
    let decision = try stage.play(
      .backdate(BackdatePurchase(Purchase(productId: "pro.monthly"), purchaseDate: past)))
    #expect(decision.outcome == .purchased(try #require(stage.records.first?.transactionId)))
    #expect(stage.records.first?.purchaseDate == past)
    #expect(stage.records.count >= 3)
    #expect(stage.status == .subscribed)
    #expect(try #require(stage.info()).renewalDate > stage.now)
    // It goes on from there as any other.
    let count = stage.records.count
    try stage.advance(days: 31)
    #expect(stage.records.count == count + 1)
  }

  @Test func purchaseOfThePastThatWasCancelledRanForOnePeriod() throws {
    var stage = try AccountStage()
    let past = stage.now.advanced(by: -400 * 86_400_000)
    try stage.play(
      .backdate(
        BackdatePurchase(
          Purchase(productId: "pro.monthly"), purchaseDate: past, renewal: .cancelImmediately)))
    #expect(stage.records.count == 1)
    #expect(stage.status == .expired)
  }

  @Test func productsWithoutPeriodsAreBackdatedToo() throws {
    var stage = try AccountStage()
    let past = stage.now.advanced(by: -86_400_000)
    try stage.play(.backdate(BackdatePurchase(Purchase(productId: "lifetime"), purchaseDate: past)))
    #expect(stage.records.map(\.purchaseDate) == [past])
  }

  @Test func purchaseOfTheFutureOrWithTooManyRenewalsIsRefused() throws {
    var stage = try AccountStage(timeRate: .oneRenewalEveryTwoSeconds)
    let purchase = Purchase(productId: "pro.monthly")
    let later = stage.now.advanced(by: 1)
    #expect(stage.outcome(.backdate(BackdatePurchase(purchase, purchaseDate: later))) == "badBody")
    let long = stage.now.advanced(by: -86_400_000)
    #expect(stage.outcome(.backdate(BackdatePurchase(purchase, purchaseDate: long))) == "badBody")
    #expect(stage.records.isEmpty)
  }

  // MARK: Deletion

  @Test func deletedSubscriptionNeverWasAndItsOfferIsUnused() throws {
    var stage = try stage()
    try stage.play(renew)
    try stage.buy("lifetime")
    let first = try #require(stage.records.first)
    let next = stage.state.transactionId()
    #expect(stage.outcome(.delete(DeleteTransaction(transactionId: first.transactionId))) == "deleted")
    #expect(stage.records.map(\.productId) == ["lifetime"])
    #expect(stage.info() == nil)
    #expect(stage.state.timers.isEmpty)
    #expect(stage.state.isEligibleForIntroductoryOffer(inGroup: "G1"))
    #expect(!stage.state.hasArchive)
    #expect(stage.state.transactionId() == next, "no id comes twice")
    #expect(stage.outcome(.delete(DeleteTransaction(transactionId: first.transactionId))) == "unknownTransaction")
  }

  @Test func everyPurchaseWaitsWhereTheWorldAsks() throws {
    var stage = try AccountStage()
    stage.world.asksToBuy = true
    #expect(stage.outcome(.purchase(Purchase(productId: "coins"))) == "askedToBuy")
  }
}
