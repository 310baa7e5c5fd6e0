import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Who may be won back (Apple: eligibleWinBackOfferIds).
@Suite struct WinBackTests {
  private static let offers = ["return.free", "return.cheap"]

  private static func lapsed(_ product: String = "pro.monthly") throws -> AccountStage {
    var stage = try AccountStage()
    try stage.buy(product)
    try stage.play(.setAutoRenew(SetAutoRenew(productId: product, on: false)))
    try stage.advance(days: 400)
    return stage
  }

  private static func shared(change: (inout AccountStage) throws -> Void = { _ in }) throws -> SharedItem {
    try AccountOutcomeTests.item("pro.monthly", of: "mum", change: change)
  }

  @Test func whoPaidAndLapsedIsOfferedThePlansOwnOffersFirst() throws {
    #expect(try Self.lapsed().info()?.eligibleWinBackOfferIds == Self.offers)
    #expect(try Self.lapsed("basic.yearly").info()?.eligibleWinBackOfferIds == Self.offers.reversed())
  }

  @Test func activeCancelledAndRetriedSubscribersAreNotWonBack() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    #expect(stage.info()?.eligibleWinBackOfferIds == [])
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
    #expect(stage.info()?.eligibleWinBackOfferIds == [])
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: true)))
    try stage.billing(fails: true)
    try stage.advance(days: 40)
    #expect(stage.status == .inBillingRetryPeriod)
    #expect(stage.info()?.eligibleWinBackOfferIds == [])
    try stage.advance(days: 60)
    #expect(stage.status == .expired)
    #expect(stage.info()?.eligibleWinBackOfferIds == Self.offers)
  }

  @Test func trialAloneIsNoPurchase() throws {
    var stage = try AccountStage()
    try stage.buy("pro.yearly")
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.yearly", on: false)))
    try stage.advance(days: 10)
    #expect(stage.status == .expired)
    #expect(stage.info()?.eligibleWinBackOfferIds == [])
  }

  @Test func refundedSubscriberIsNotWonBack() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.play(.refund(Refund(productId: "pro.monthly")))
    #expect(stage.info()?.eligibleWinBackOfferIds == [])
  }

  @Test func returningEndsTheOffer() throws {
    var stage = try Self.lapsed()
    try stage.buy("basic.yearly")
    #expect(stage.info()?.eligibleWinBackOfferIds == [])
  }

  @Test func familyAccessBlocksAndItsEndOffersAgain() throws {
    var stage = try Self.lapsed()
    try stage.play(.joinFamily("f"))
    try stage.play(.receiveShared(Self.shared()))
    #expect(stage.info()?.eligibleWinBackOfferIds == [])
    try stage.play(.leaveFamily("f"))
    #expect(stage.info()?.eligibleWinBackOfferIds == Self.offers)
  }

  @Test func familyAccessAloneIsNoHistory() throws {
    var kid = try AccountStage("kid", ordinal: 3)
    try kid.play(.joinFamily("f"))
    try kid.play(.receiveShared(Self.shared()))
    try kid.play(
      .receiveShared(
        Self.shared {
          try $0.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
          try $0.advance(days: 40)
        }))
    #expect(kid.state.history.renewalInfos.values.map(\.status) == [.expired])
    #expect(kid.state.history.renewalInfos.values.flatMap(\.eligibleWinBackOfferIds) == [])
  }
}
