import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Who may have which offer, when it begins, and what it costs.
@Suite struct OfferTests {
  // MARK: Promotional

  @Test(arguments: [
    ("promo.free", [Int64(0), 9_990], "P1M", "FREE_TRIAL"), ("promo.front", [19_990, 9_990], "P6M", "PAY_UP_FRONT"),
    ("promo.pay", [1_990, 1_990, 9_990], "P2M", "PAY_AS_YOU_GO"),
  ])
  func lapsedSubscriberGetsTheOfferNow(_ offer: String, _ prices: [Int64], _ period: String, _ mode: String) throws {
    var stage = try AccountStage.lapsed()
    let before = stage.records.count
    try stage.promote(offer)
    let first = try #require(stage.records.last)
    #expect(first.purchaseDate == stage.now)
    #expect(first.offer?.type == AppliedOffer.promotional)
    #expect(first.offer?.identifier == offer)
    #expect(first.offer?.period == period)
    #expect(first.offer?.discountType == mode)
    #expect(first.transactionReason == .purchase)
    #expect(stage.info()?.renewalPrice == prices[1])
    while stage.records.count < before + prices.count { try stage.advance(to: try #require(stage.info()).renewalDate) }
    #expect(stage.records[before...].map(\.price) == prices)
    #expect(stage.records.last?.offer == nil)
    #expect(Set(stage.records.map(\.originalTransactionId)).count == 1)
  }

  @Test(arguments: [
    ("promo.free", [Int64(0), 9_990, 9_990]), ("promo.front", [19_990, 9_990, 9_990]),
    ("promo.pay", [1_990, 1_990, 9_990]),
  ])
  func activeSubscriberGetsTheOfferWithTheNextRenewal(_ offer: String, _ prices: [Int64]) throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    let running = try #require(stage.records.last)
    let decision = try stage.promote(offer)
    #expect(decision.outcome == .existing(running.transactionId))
    #expect(stage.records == [running], "nothing is charged now")
    #expect(stage.info()?.nextOffer?.identifier == offer)
    #expect(stage.info()?.renewalPrice == prices[0])
    for _ in 0..<3 { try stage.advance(to: try #require(stage.info()).renewalDate) }
    #expect(stage.records.dropFirst().map(\.price) == prices)
    #expect(stage.records[1].purchaseDate == running.expiresDate)
    #expect(stage.records[1].transactionReason == .renewal)
    #expect(stage.records[1].offer?.type == AppliedOffer.promotional)
    #expect(stage.records[3].offer == nil)
  }

  @Test func offerThatWaitsSurvivesAFailedRenewal() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.promote("promo.pay")
    try stage.billing(fails: true)
    try stage.advance(days: 35)
    #expect(stage.status == .inBillingRetryPeriod)
    try stage.billing(fails: false)
    #expect(stage.records.last?.offer?.identifier == "promo.pay")
    #expect(stage.records.last?.price == 1_990)
    #expect(stage.info()?.renewalPrice == 1_990)
  }

  @Test func whoCancelledInATrialIsKeptByAnOffer() throws {
    var stage = try AccountStage()
    try stage.buy("pro.yearly")
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.yearly", on: false)))
    try stage.promote("promo.free")
    #expect(stage.info()?.willAutoRenew == true, "a crossgrade to another length waits for the renewal")
    try stage.advance(days: 8)
    #expect(stage.records.map(\.productId) == ["pro.yearly", "pro.monthly"])
    #expect(stage.records.last?.offer?.identifier == "promo.free")
  }

  @Test func upgradeBeginsItsOfferNow() throws {
    var stage = try AccountStage()
    try stage.buy("basic.monthly")
    try stage.promote("promo.front")
    #expect(stage.records.map(\.isUpgraded) == [true, false])
    #expect(stage.records.last?.price == 19_990)
    #expect(stage.records.last?.offer?.identifier == "promo.front")
    #expect(stage.info()?.nextOffer == nil)
  }

  @Test func downgradeBeginsItsOfferWithTheRenewal() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.promote("promo.lower", of: "basic.monthly")
    #expect(stage.info()?.autoRenewProductId == "basic.monthly")
    #expect(stage.info()?.renewalPrice == 0)
    #expect(stage.info()?.nextOffer?.identifier == "promo.lower")
    try stage.advance(days: 32)
    #expect(stage.records.last?.productId == "basic.monthly")
    #expect(stage.records.last?.price == 0)
  }

  @Test func renewingAsAnotherPlanGivesTheWaitingOfferUp() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.promote("promo.free")
    try stage.buy("basic.monthly")
    #expect(stage.info()?.nextOffer == nil)
    #expect(stage.info()?.renewalPrice == 4_990)
    try stage.buy("pro.monthly")
    #expect(stage.info()?.nextOffer?.identifier == "promo.free", "back in time, it still waits")
    try stage.buy("basic.monthly")
    try stage.advance(days: 32)
    try stage.buy("pro.monthly")
    try stage.advance(days: 60)
    #expect(stage.records.allSatisfy { $0.offer == nil })
  }

  @Test func oneOfferAtATime() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.promote("promo.pay")
    #expect(stage.refusal(.promotional(try stage.signed("promo.free"))) == .ineligibleForOffer, "one waits")
    try stage.advance(days: 32)
    #expect(stage.records.last?.offer != nil)
    #expect(stage.refusal(.promotional(try stage.signed("promo.free"))) == .ineligibleForOffer, "one runs")
    try stage.advance(days: 31)
    #expect(stage.refusal(.promotional(try stage.signed("promo.free"))) == nil, "its last period runs")
  }

  @Test func switchingAutoRenewOffAndOnKeepsTheWaitingOffer() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.promote("promo.free")
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: true)))
    #expect(stage.info()?.nextOffer?.identifier == "promo.free")
    #expect(stage.info()?.renewalPrice == 0)
  }

  @Test func offerTakesThePlaceOfTheIntroductoryOne() throws {
    var stage = try AccountStage.lapsed("pro.monthly")
    try stage.promote("promo.lower", of: "basic.monthly")
    #expect(stage.records.last?.offer?.type == AppliedOffer.promotional)
    #expect(!stage.state.usedIntroductoryOffers.contains("G1"))
  }

  // MARK: Ask to Buy

  @Test func signatureIsCheckedBeforeTheFamilyIsAskedAndTheOfferAppliesAtTheApproval() throws {
    var stage = try AccountStage.lapsed()
    let signed = try stage.signed("promo.free")
    try stage.buy(with: .promotional(signed), asks: true)
    #expect(stage.state.pending.count == 1)
    #expect(stage.refusal(.promotional(signed)) == .invalidOfferSignature, "used up by asking")
    var bad = try stage.signed("promo.free")
    bad.keyId = "OTHER"
    #expect(throws: WireError.self) { try stage.buy(with: .promotional(bad), asks: true) }
    try stage.play(.answerAskToBuy(AnswerAskToBuy(approve: true)))
    #expect(stage.records.last?.offer?.identifier == "promo.free")
    #expect(stage.state.pending.isEmpty)
  }

  @Test func whatMayNotBeHadIsNotAskedFor() throws {
    var stage = try AccountStage(asksToBuy: true)
    #expect(stage.refusal(.promotional(try stage.signed("promo.free"))) == .ineligibleForOffer)
    #expect(stage.state.pending.isEmpty)
  }

  // MARK: Introductory, as the server says

  @Test func serverMayGrantTheIntroductoryOfferAgain() throws {
    var stage = try AccountStage.lapsed("pro.yearly")
    #expect(!stage.state.isEligibleForIntroductoryOffer(inGroup: "G1"))
    try stage.buy("pro.yearly", with: try stage.eligibility(true, of: "pro.yearly"))
    #expect(stage.records.last?.offer?.type == AppliedOffer.introductory)
    #expect(stage.records.last?.offer?.identifier == nil)
    #expect(stage.records.last?.price == 0)
  }

  @Test func serverMayWithholdTheIntroductoryOffer() throws {
    var stage = try AccountStage()
    try stage.buy("pro.yearly", with: try stage.eligibility(false, of: "pro.yearly"))
    #expect(stage.records.last?.offer == nil)
    #expect(stage.records.last?.price == 99_990)
    #expect(!stage.state.usedIntroductoryOffers.contains("G1"))
  }

  @Test func planChangeHasNoIntroductoryOfferWhateverTheServerSays() throws {
    var stage = try AccountStage()
    try stage.buy("basic.monthly")
    try stage.buy("pro.yearly", with: try stage.eligibility(true, of: "pro.yearly"))
    #expect(stage.records.last?.productId == "pro.yearly")
    #expect(stage.records.last?.offer == nil)
    let owned = try stage.buy("pro.yearly", with: try stage.eligibility(true, of: "pro.yearly"))
    #expect(owned.outcome == .existing(try #require(stage.records.last).transactionId))
  }

  @Test func wrongWordOnTheIntroductoryOfferIsRefused() throws {
    var stage = try AccountStage()
    let other = try stage.eligibility(true, of: "basic.monthly")
    #expect(stage.refusal(other, of: "pro.yearly") == .invalidOfferSignature)
    let unsaid = try stage.eligibility(nil, of: "pro.yearly")
    #expect(stage.refusal(unsaid, of: "pro.yearly") == .invalidOfferSignature)
    let nobody = stage.claims(nil, of: "pro.yearly") {
      $0.aud = OfferClaims.introductoryOfferEligibility
      $0.allowIntroductoryOffer = true
    }
    let jws = try stage.jws(nobody)
    #expect(stage.refusal(.introductoryEligibility(jws: jws), of: "pro.yearly") == .invalidOfferSignature)
    let twice = try stage.eligibility(false, of: "pro.yearly")
    #expect(stage.refusal(twice, of: "pro.yearly") == nil)
    #expect(stage.refusal(twice, of: "pro.yearly") == .invalidOfferSignature)
    #expect(stage.records.count == 1)
  }

  // MARK: Win-back

  @Test func winBackOfferIsForThoseOnTheList() throws {
    var stage = try AccountStage.lapsed()
    #expect(stage.info()?.eligibleWinBackOfferIds.first == "return.free")
    try stage.buy(with: .winBack(offerId: "return.free", priceMilliunits: 0))
    #expect(stage.records.last?.offer?.type == AppliedOffer.winBack)
    #expect(stage.records.last?.offer?.identifier == "return.free")
    #expect(stage.records.last?.price == 0)
    #expect(stage.info()?.eligibleWinBackOfferIds == [])
    #expect(
      stage.refusal(.winBack(offerId: "return.free", priceMilliunits: 0)) == .ineligibleForOffer, "active by now")
  }

  @Test(arguments: [
    ("pro.monthly", "not.for.you", Int64(0), Refusal.ineligibleForOffer),
    ("pro.monthly", "return.none", 0, .invalidOfferIdentifier),
    ("pro.monthly", "return.cheap", 9_990, .invalidOfferIdentifier),
    ("pro.monthly", "", 0, .missingOfferParameters), ("basic.yearly", "return.cheap", 990, .invalidOfferPrice),
  ])
  func otherWinBackOffersAreRefused(_ product: String, _ offer: String, _ price: Int64, _ refusal: Refusal) throws {
    var stage = try AccountStage.lapsed()
    let before = stage.state
    #expect(stage.refusal(.winBack(offerId: offer, priceMilliunits: price), of: product) == refusal)
    #expect(stage.state == before)
  }

  @Test func neverSubscribedIsNotWonBack() throws {
    var stage = try AccountStage()
    #expect(stage.refusal(.winBack(offerId: "return.free", priceMilliunits: 0)) == .ineligibleForOffer)
  }

  // MARK: Codes

  private static func redeem(_ code: String, of product: String = "pro.monthly") -> AccountCommand {
    .redeem(RedeemCode(productId: product, code: code))
  }

  /// What comes of a code for new, existing and expired customers.
  @Test(arguments: [
    ("NEW", ["purchased", "ineligibleForOffer", "ineligibleForOffer"]),
    ("EXISTING", ["ineligibleForOffer", "renewalPreferenceChanged", "ineligibleForOffer"]),
    ("EXPIRED", ["ineligibleForOffer", "ineligibleForOffer", "purchased"]),
    ("NONE", ["invalidOfferIdentifier", "invalidOfferIdentifier", "invalidOfferIdentifier"]),
  ])
  func codeIsForItsCustomers(_ code: String, _ outcomes: [String]) throws {
    var new = try AccountStage()
    var existing = try AccountStage()
    try existing.buy("pro.monthly")
    var expired = try AccountStage.lapsed()
    #expect(
      [
        new.outcome(Self.redeem(code)), existing.outcome(Self.redeem(code)), expired.outcome(Self.redeem(code)),
      ] == outcomes)
  }

  @Test func br17CodeGivesATransactionWithTheOffer() throws {
    var stage = try AccountStage()
    let decision = try stage.play(.redeem(RedeemCode(productId: "pro.monthly", referenceName: "NEW")))
    let record = try #require(stage.records.last)
    #expect(decision.outcome == .purchased(record.transactionId))
    #expect(record.offer?.type == AppliedOffer.code)
    #expect(record.offer?.identifier == "NEW")
    #expect(record.price == 0)
    #expect(!record.isFinished)
  }

  @Test func br17CodeIsForOneRedemption() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.play(Self.redeem("EXISTING"))
    try stage.advance(days: 32)
    #expect(stage.records.last?.price == 29_990)
    let before = stage.state
    #expect(stage.outcome(Self.redeem("EXISTING")) == "ineligibleForOffer")
    #expect(stage.state == before)
  }

  @Test func codeThatWouldDowngradeIsNotValid() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    #expect(stage.outcome(Self.redeem("LOWER", of: "basic.monthly")) == "ineligibleForOffer")
    var lapsed = try AccountStage.lapsed()
    #expect(lapsed.outcome(Self.redeem("LOWER", of: "basic.monthly")) == "purchased")
  }

  @Test func stackableCodeFollowsTheIntroductoryOfferAndAnotherTakesItsPlace() throws {
    var after = try AccountStage()
    try after.play(Self.redeem("AFTER", of: "pro.yearly"))
    #expect(after.records.map(\.offer?.type) == [AppliedOffer.introductory])
    #expect(after.info()?.nextOffer?.identifier == "AFTER")
    #expect(after.info()?.renewalPrice == 49_990)
    try after.advance(days: 8)
    #expect(after.records.map(\.price) == [0, 49_990])
    var instead = try AccountStage()
    try instead.play(Self.redeem("INSTEAD", of: "pro.yearly"))
    #expect(instead.records.map(\.price) == [39_990])
  }

  @Test func codeDuringATrialHasToBeStackable() throws {
    var stage = try AccountStage()
    try stage.buy("pro.yearly")
    #expect(stage.outcome(Self.redeem("INSTEAD", of: "pro.yearly")) == "ineligibleForOffer")
    #expect(stage.outcome(Self.redeem("AFTER", of: "pro.yearly")) == "renewalPreferenceChanged")
    try stage.advance(days: 8)
    #expect(stage.records.map(\.price) == [0, 49_990])
  }

  @Test func codeAsksNobodyInTheFamily() throws {
    var stage = try AccountStage(asksToBuy: true)
    #expect(stage.outcome(Self.redeem("NEW")) == "purchased")
  }

  @Test(arguments: [
    (RedeemCode(productId: "pro.monthly"), "missingOfferParameters"),
    (RedeemCode(productId: "pro.monthly", code: "NEW", referenceName: "NEW"), "missingOfferParameters"),
    (RedeemCode(productId: "none", code: "NEW"), "productUnavailable"),
    (RedeemCode(productId: "coins", code: "NEW"), "invalidOfferIdentifier"),
  ])
  func codeHasToBeNamed(_ request: RedeemCode, _ refusal: String) throws {
    var stage = try AccountStage()
    #expect(stage.outcome(.redeem(request)) == refusal)
  }
}
