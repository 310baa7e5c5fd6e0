import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// A price that goes up (Apple: Managing price increases; expirationIntent 3).
@Suite struct PriceIncreaseTests {
  private static func raised(needsConsent: Bool, to price: Int64 = 12_990) throws -> AccountStage {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.play(.requestPriceIncrease(request(needsConsent: needsConsent, price: price)))
    return stage
  }

  private static func request(needsConsent: Bool, price: Int64) -> RequestPriceIncrease {
    RequestPriceIncrease(productId: "pro.monthly", priceMilliunits: price, needsConsent: needsConsent)
  }

  @Test func agreedPriceIsPaidFromTheRenewalOn() throws {
    var stage = try Self.raised(needsConsent: true)
    #expect(stage.info()?.priceIncreaseStatus == 0)
    #expect(stage.info()?.renewalPrice == 9_990, "not agreed to yet")
    try stage.play(.answerPriceIncrease(AnswerPriceIncrease(agree: true)))
    #expect(stage.info()?.priceIncreaseStatus == 1)
    #expect(stage.info()?.renewalPrice == 12_990)
    try stage.advance(days: 70)
    #expect(stage.records.map(\.price) == [9_990, 12_990, 12_990])
    #expect(stage.info()?.priceIncreaseStatus == nil, "it has come")
    #expect(stage.info()?.renewalPrice == 12_990)
  }

  @Test func withoutAnAnswerItExpiresAtTheRenewal() throws {
    var stage = try Self.raised(needsConsent: true)
    try stage.advance(days: 31)
    #expect(stage.status == .expired)
    #expect(stage.info()?.expirationIntent == ExpirationIntent.noConsent)
    #expect(stage.info()?.priceIncreaseStatus == nil)
    #expect(stage.records.count == 1)
  }

  @Test func declinedPriceLetsItExpireForThatReason() throws {
    var stage = try Self.raised(needsConsent: true)
    try stage.play(.answerPriceIncrease(AnswerPriceIncrease(agree: false)))
    #expect(stage.info()?.willAutoRenew == false)
    #expect(stage.entitled == ["pro.monthly"], "what is paid for stays")
    try stage.advance(days: 31)
    #expect(stage.info()?.expirationIntent == ExpirationIntent.noConsent)
  }

  @Test func whoDeclinedAndRenewsAfterAllIsAskedAgain() throws {
    var stage = try Self.raised(needsConsent: true)
    try stage.play(.answerPriceIncrease(AnswerPriceIncrease(agree: false)))
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: true)))
    #expect(stage.info()?.priceIncreaseStatus == 0)
    try stage.play(.answerPriceIncrease(AnswerPriceIncrease(agree: true)))
    try stage.advance(days: 31)
    #expect(stage.records.last?.price == 12_990)
  }

  @Test func cancellingAfterTheNoticeIsACancellation() throws {
    var stage = try Self.raised(needsConsent: true)
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
    try stage.advance(days: 31)
    #expect(stage.info()?.expirationIntent == ExpirationIntent.cancelled)
  }

  @Test func increaseWithoutConsentIsAgreedAtOnce() throws {
    var stage = try Self.raised(needsConsent: false)
    #expect(stage.info()?.priceIncreaseStatus == 1)
    #expect(stage.info()?.renewalPrice == 12_990)
    #expect(stage.outcome(.answerPriceIncrease(AnswerPriceIncrease(agree: true))) == "nothingPending")
    try stage.advance(days: 31)
    #expect(stage.records.map(\.price) == [9_990, 12_990])
  }

  @Test func increaseConcernsItsPlanAlone() throws {
    var stage = try Self.raised(needsConsent: true)
    try stage.buy("basic.yearly")
    #expect(stage.info()?.priceIncreaseStatus == nil, "the next period is another plan's")
    var back = stage
    try back.buy("pro.monthly")
    #expect(back.info()?.priceIncreaseStatus == 0)
    try stage.advance(days: 31)
    #expect(stage.entitled == ["basic.yearly"])
    #expect(stage.records.last?.price == 39_990)
  }

  @Test func planThatIsLeftAndComeBackToCostsWhatTheCatalogueSays() throws {
    var stage = try Self.raised(needsConsent: false)
    try stage.buy("pro.yearly")
    try stage.advance(days: 31)
    try stage.buy("pro.monthly")
    #expect(stage.info()?.renewalPrice == 9_990)
    try stage.advance(days: 366)
    #expect(stage.records.map(\.price) == [9_990, 99_990, 9_990])
  }

  @Test(arguments: [(9_990, "notAnIncrease"), (0, "notAnIncrease"), (9_991, "priceIncreaseRequested")])
  func priceMustGoUp(price: Int64, outcome: String) throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    #expect(stage.outcome(.requestPriceIncrease(Self.request(needsConsent: true, price: price))) == outcome)
    let most = Self.request(needsConsent: true, price: .max)
    #expect(stage.outcome(.requestPriceIncrease(most)) == "badBody")
  }

  @Test func secondIncreaseStartsFromTheFirst() throws {
    var stage = try Self.raised(needsConsent: false)
    try stage.advance(days: 31)
    #expect(stage.outcome(.requestPriceIncrease(Self.request(needsConsent: true, price: 12_990))) == "notAnIncrease")
    try stage.play(.requestPriceIncrease(Self.request(needsConsent: true, price: 14_990)))
    #expect(stage.info()?.renewalPrice == 12_990)
    try stage.play(.answerPriceIncrease(AnswerPriceIncrease(productId: "pro.monthly", agree: true)))
    try stage.advance(days: 31)
    #expect(stage.records.map(\.price) == [9_990, 12_990, 14_990])
  }

  @Test func severalIncreasesNeedAName() throws {
    var stage = try Self.raised(needsConsent: true)
    try stage.buy("news.weekly")
    try stage.play(
      .requestPriceIncrease(
        RequestPriceIncrease(productId: "news.weekly", priceMilliunits: 2_990, needsConsent: true)))
    #expect(stage.outcome(.answerPriceIncrease(AnswerPriceIncrease(agree: true))) == "wrongState")
    try stage.play(.answerPriceIncrease(AnswerPriceIncrease(productId: "news.weekly", agree: true)))
    #expect(stage.info("G2")?.priceIncreaseStatus == 1)
    #expect(stage.info()?.priceIncreaseStatus == 0)
  }
}
