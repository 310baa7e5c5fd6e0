import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Purchases that wait until the customer has resolved something.
@Suite struct InterruptionTests {
  private func stage(_ products: String...) throws -> AccountStage {
    var stage = try AccountStage()
    try stage.play(.setInterruptedPurchases(SetInterruptedPurchases(on: true)))
    for product in products { try stage.buy(product) }
    return stage
  }

  @Test func interruptedPurchaseIsPendingAndNoTransactionUntilItIsResolved() throws {
    var stage = try stage()
    let decision = try stage.buy("coins", quantity: 3)
    let id = try #require(stage.state.pending.first?.id)
    #expect(decision.outcome == .pending(askToBuy: id))
    #expect(stage.records.isEmpty)
    try stage.advance(days: 400)
    #expect(stage.state.pending.map(\.hasIssue) == [true], "an issue waits for ever")
    let now = stage.now
    try stage.play(.resolveIssue(ResolveIssue()))
    #expect(stage.records.map(\.quantity) == [3])
    #expect(stage.records.map(\.purchaseDate) == [now])
    #expect(stage.state.pending.isEmpty)
    #expect(stage.outcome(.resolveIssue(ResolveIssue())) == "nothingPending")
  }

  @Test func switchIsAboutWhatIsBoughtFromThenOn() throws {
    var stage = try stage("coins")
    try stage.play(.setInterruptedPurchases(SetInterruptedPurchases(on: false)))
    #expect(stage.outcome(.purchase(Purchase(productId: "coins"))) == "purchased")
    #expect(stage.state.pending.count == 1)
  }

  @Test func worldAndDeviceCanInterruptToo() throws {
    var stage = try AccountStage()
    #expect(
      stage.outcome(.purchase(Purchase(productId: "coins", device: "d", isInterrupted: true))) == "purchaseInterrupted")
    stage.world.interruptsPurchases = true
    #expect(stage.outcome(.purchase(Purchase(productId: "coins"))) == "purchaseInterrupted")
    stage.world.interruptsPurchases = false
    #expect(stage.outcome(.purchase(Purchase(productId: "coins"))) == "purchased")
  }

  @Test func severalInterruptedPurchasesAreResolvedByProductOrByName() throws {
    var stage = try stage("coins", "coins", "private")
    #expect(stage.outcome(.resolveIssue(ResolveIssue())) == "wrongState")
    #expect(stage.outcome(.resolveIssue(ResolveIssue(productId: "coins"))) == "wrongState")
    #expect(stage.outcome(.resolveIssue(ResolveIssue(productId: "private"))) == "purchased")
    let second = try #require(stage.state.pending.last)
    #expect(stage.outcome(.resolveIssue(ResolveIssue(purchase: second.id))) == "purchased")
    #expect(stage.outcome(.resolveIssue(ResolveIssue(purchase: second.id))) == "nothingPending")
    #expect(stage.outcome(.resolveIssue(ResolveIssue(productId: "coins"))) == "purchased")
    #expect(stage.records.map(\.productId) == ["private", "coins", "coins"])
  }

  @Test func whatIsOwnedByThenIsNotSoldAgain() throws {
    var stage = try stage("private", "private")
    let ids = stage.state.pending.map(\.id)
    #expect(stage.outcome(.resolveIssue(ResolveIssue(purchase: ids[0]))) == "purchased")
    #expect(stage.outcome(.resolveIssue(ResolveIssue(purchase: ids[1]))) == "issueResolved")
    #expect(stage.records.count == 1)
    #expect(stage.state.pending.isEmpty)
  }

  @Test func answerToAskToBuyAndResolvedIssueAreDifferentThings() throws {
    var stage = try stage("coins")
    try stage.buy("coins", asks: true)
    #expect(stage.state.pending.map(\.hasIssue) == [true, nil], "who must ask asks first")
    #expect(stage.outcome(.answerAskToBuy(AnswerAskToBuy(approve: false))) == "askToBuyDeclined")
    #expect(stage.outcome(.answerAskToBuy(AnswerAskToBuy(approve: true))) == "nothingPending")
    #expect(stage.outcome(.resolveIssue(ResolveIssue())) == "purchased")
  }

  @Test func whatIsOwnedOrCannotBeSoldIsNotInterrupted() throws {
    var stage = try AccountStage()
    try stage.buy("private")
    try stage.play(.setInterruptedPurchases(SetInterruptedPurchases(on: true)))
    #expect(stage.outcome(.purchase(Purchase(productId: "private"))) == "nothing")
    #expect(stage.outcome(.purchase(Purchase(productId: "coins", quantity: 11))) == "invalidQuantity")
    #expect(stage.outcome(.purchase(Purchase(productId: "none"))) == "productUnavailable")
    #expect(stage.state.pending.isEmpty)
  }

  @Test func resolvedSubscriptionBeginsWhenItIsResolved() throws {
    var stage = try stage("pro.yearly")
    try stage.advance(days: 3)
    try stage.play(.resolveIssue(ResolveIssue()))
    #expect(stage.records.map(\.purchaseDate) == [stage.now])
    #expect(stage.status == .subscribed)
  }
}
