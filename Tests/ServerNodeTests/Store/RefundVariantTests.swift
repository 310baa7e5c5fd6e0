import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Prorated, declined and reversed refunds, and what asking for one does.
@Suite struct RefundVariantTests {
  private static func subscribed(days: Int64 = 0) throws -> AccountStage {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.advance(days: days)
    return stage
  }

  @Test(
    arguments: [
      (nil, "REFUND_FULL", 100_000), (100_000, "REFUND_FULL", 100_000), (41_935, "REFUND_PRORATED", 41_935),
    ] as [(Int64?, String, Int64)])
  func partOfThePriceIsAProratedRefund(percentage: Int64?, type: String, expected: Int64) throws {
    var stage = try Self.subscribed(days: 10)
    try stage.play(.refund(Refund(productId: "pro.monthly", percentage: percentage)))
    #expect(stage.records[0].revocation?.type == type)
    #expect(stage.records[0].revocation?.percentage == expected)
    #expect(stage.status == .revoked && stage.entitled.isEmpty)
  }

  @Test(arguments: [0, -1, 100_001] as [Int64])
  func percentageOutsideItsRangeIsRefused(percentage: Int64) throws {
    var stage = try Self.subscribed()
    #expect(stage.outcome(.refund(Refund(productId: "pro.monthly", percentage: percentage))) == "badBody")
  }

  @Test func declinedRefundChangesNothing() throws {
    var stage = try Self.subscribed()
    let before = stage.state
    #expect(stage.outcome(.declineRefund(DeclineRefund(productId: "pro.monthly"))) == "refundDeclined")
    #expect(stage.state == before)
  }

  @Test func reversedRefundBringsTheSubscriptionBackWhileItsPeriodRuns() throws {
    var stage = try Self.subscribed(days: 5)
    let renewal = stage.info()?.renewalDate
    try stage.play(.refund(Refund(productId: "pro.monthly")))
    try stage.advance(days: 5)
    try stage.play(.reverseRefund(ReverseRefund(productId: "pro.monthly")))
    #expect(stage.records[0].revocation == nil)
    #expect(stage.records[0].recordRevision == 3)
    #expect(stage.entitled == ["pro.monthly"])
    #expect(stage.info()?.renewalDate == renewal, "the renewal date stays")
    #expect(stage.info()?.willAutoRenew == false)
    #expect(stage.outcome(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: true))) == "autoRenewChanged")
    try stage.advance(days: 30)
    #expect(stage.records.count == 2)
  }

  @Test func refundReversedTooLateLeavesItExpired() throws {
    var stage = try Self.subscribed(days: 5)
    try stage.play(.refund(Refund(productId: "pro.monthly")))
    try stage.advance(days: 26)
    try stage.play(.reverseRefund(ReverseRefund(productId: "pro.monthly")))
    #expect(stage.status == .expired)
    #expect(stage.records[0].revocation == nil)
    #expect(stage.entitled.isEmpty && stage.state.timers.isEmpty)
  }

  @Test func refundOfAnOlderPeriodAndItsReversalLeaveTheSubscription() throws {
    var stage = try Self.subscribed(days: 40)
    let old = stage.records[0].transactionId
    let info = stage.info()
    try stage.play(.refund(Refund(transactionId: old, percentage: 50_000)))
    #expect(stage.info() == info && stage.entitled == ["pro.monthly"])
    try stage.play(.reverseRefund(ReverseRefund(transactionId: old)))
    #expect(stage.info() == info && stage.records[0].revocation == nil)
  }

  @Test func reversedRefundGivesBackWhatIsOwnedUnlessItWasBoughtAgain() throws {
    var stage = try AccountStage()
    try stage.buy("private")
    try stage.play(.refund(Refund(productId: "private")))
    var again = stage
    try stage.play(.reverseRefund(ReverseRefund(productId: "private")))
    #expect(stage.entitled == ["private"])
    #expect(stage.outcome(.reverseRefund(ReverseRefund(productId: "private"))) == "notRefunded")
    try again.buy("private")
    #expect(again.outcome(.reverseRefund(ReverseRefund(productId: "private"))) == "wrongState")
    #expect(again.entitled == ["private"])
  }

  @Test func askingForMoneyBackSwitchesAutoRenewOff() throws {
    var stage = try Self.subscribed(days: 5)
    try stage.play(.requestRefund(RequestRefund(productId: "pro.monthly")))
    #expect(stage.info()?.willAutoRenew == false)
    #expect(stage.entitled == ["pro.monthly"], "until it is decided")
    try stage.play(.declineRefund(DeclineRefund(productId: "pro.monthly")))
    #expect(stage.info()?.willAutoRenew == false)
    try stage.advance(days: 26)
    #expect(stage.info()?.expirationIntent == ExpirationIntent.cancelled)

    var coins = try AccountStage()
    try coins.buy("coins")
    #expect(coins.outcome(.requestRefund(RequestRefund(productId: "coins"))) == "refundRequested")
  }

  @Test func reversedRefundComesBackToTheFamily() throws {
    let store = try StoreHarness(catalog: AccountStage.catalog)
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    let mum = store.account("mum")
    _ = try store.ask(Purchase(productId: "pro.monthly"), of: mum)
    _ = try store.ask(Refund(productId: "pro.monthly"), of: mum)
    #expect(try store.history(of: "kid").currentEntitlements().isEmpty)
    _ = try store.ask(ReverseRefund(productId: "pro.monthly"), of: mum)
    #expect(try store.history(of: "kid").currentEntitlements().map(\.productId) == ["pro.monthly"])
  }
}
