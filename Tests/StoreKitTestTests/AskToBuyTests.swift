import Foundation
import StoreKitTest
import Testing

/// What public suites expect of purchases that wait.
@Suite(.storeKitWorld, .timeLimit(.minutes(1))) struct AskToBuyTests {
  private let session: SKTestSession

  init() throws { session = try Shop.session() }

  private func isPending(_ id: String) async throws -> Bool {
    guard case .pending = try await Shop.product(id).purchase() else { return false }
    return true
  }

  @Test func approvedPurchaseArrivesThroughUpdates() async throws {
    let app = await ListeningApp()
    session.askToBuyEnabled = true
    #expect(try await isPending(Shop.lifetime))
    let waiting = try #require(session.allTransactions().first)
    #expect(waiting.pendingAskToBuyConfirmation)
    #expect(waiting.state == .deferred)
    #expect(await Shop.entitled() == [])
    try session.approveAskToBuyTransaction(identifier: waiting.identifier)
    #expect(await app.first(1).map(\.productID) == [Shop.lifetime])
    #expect(await Shop.entitled() == [Shop.lifetime])
    #expect(session.allTransactions().map(\.pendingAskToBuyConfirmation) == [false])
  }

  @Test func declinedPurchaseIsSilent() async throws {
    session.askToBuyEnabled = true
    #expect(try await isPending(Shop.lifetime))
    let waiting = try #require(session.allTransactions().first)
    try session.declineAskToBuyTransaction(identifier: waiting.identifier)
    let declined = try #require(session.allTransactions().first)
    #expect(declined.identifier == waiting.identifier)
    #expect(!declined.pendingAskToBuyConfirmation)
    #expect(declined.state == .failed)
    #expect(await Shop.entitled() == [])
    #expect(await Shop.unfinished() == [])
  }

  @Test func purchaseOutsideTheAppWaitsToo() async throws {
    session.askToBuyEnabled = true
    await #expect(throws: SKTestError.Code.invalidAction) {
      do { try await session.buyProduct(identifier: Shop.coins) } catch let error as SKTestError { throw error.code }
    }
    #expect(session.allTransactions().first?.pendingAskToBuyConfirmation == true)
  }

  @Test func purchaseByTheOlderFormWaitsWithoutAnError() async throws {
    session.askToBuyEnabled = true
    try session.buyProduct(productIdentifier: Shop.coins)
    #expect(session.allTransactions().map(\.pendingAskToBuyConfirmation) == [true])
  }

  @Test func identifierStaysTheSameFromTheRequestToTheRefund() async throws {
    let app = await ListeningApp()
    session.askToBuyEnabled = true
    #expect(try await isPending(Shop.lifetime))
    #expect(try await isPending(Shop.season))
    let waiting = try #require(session.allTransactions().first { $0.productIdentifier == Shop.lifetime })
    try session.approveAskToBuyTransaction(identifier: waiting.identifier)
    let bought = try #require(await app.first(1).first)
    #expect(UInt(bought.id) == waiting.identifier)
    #expect(
      session.allTransactions().first { $0.identifier == waiting.identifier }?.pendingAskToBuyConfirmation == false)
    try session.refundTransaction(identifier: waiting.identifier)
    #expect(await Shop.entitled() == [])
    let other = try #require(session.allTransactions().first { $0.pendingAskToBuyConfirmation })
    try session.approveAskToBuyTransaction(identifier: other.identifier)
    #expect(await Shop.entitled() == [Shop.season])
  }

  @Test func purchaseInBetweenTakesNothingAwayFromTheRequest() async throws {
    session.askToBuyEnabled = true
    #expect(try await isPending(Shop.lifetime))
    let waiting = try #require(session.allTransactions().first)
    session.askToBuyEnabled = false
    let coins = try await session.buyProduct(identifier: Shop.coins)
    #expect(Set(session.allTransactions().map(\.identifier)).count == 2)
    // Answers mean what waits, all else means what was bought.
    try session.approveAskToBuyTransaction(identifier: waiting.identifier)
    #expect(await Shop.entitled() == [Shop.lifetime])
    try session.refundTransaction(identifier: UInt(coins.id))
    #expect(await Shop.entitled() == [Shop.lifetime])
    #expect(session.allTransactions().first { $0.identifier == UInt(coins.id) }?.cancelDate != nil)
  }

  @Test func declinedPurchaseKeepsAnIdentifierOfItsOwn() async throws {
    session.askToBuyEnabled = true
    #expect(try await isPending(Shop.lifetime))
    let declined = try #require(session.allTransactions().first)
    try session.declineAskToBuyTransaction(identifier: declined.identifier)
    #expect(try await isPending(Shop.lifetime))
    let waiting = try #require(session.allTransactions().first { $0.pendingAskToBuyConfirmation })
    try session.approveAskToBuyTransaction(identifier: waiting.identifier)
    #expect(await Shop.entitled() == [Shop.lifetime])
    let listed = session.allTransactions()
    #expect(Set(listed.map(\.identifier)).count == 2)
    #expect(listed.first { $0.state == .purchased }?.identifier == waiting.identifier)
  }

  @Test func whatIsNotWaitingCannotBeAnswered() async throws {
    let transaction = try await session.buyProduct(identifier: Shop.coins)
    #expect(throws: SKTestError.self) { try session.approveAskToBuyTransaction(identifier: UInt(transaction.id)) }
    #expect(throws: SKTestError.self) { try session.approveAskToBuyTransaction(identifier: 77) }
  }

  @Test func interruptedPurchaseGoesThroughOnceResolved() async throws {
    let app = await ListeningApp()
    session.interruptedPurchasesEnabled = true
    #expect(try await isPending(Shop.lifetime))
    let waiting = try #require(session.allTransactions().first)
    #expect(waiting.hasPurchaseIssue)
    #expect(!waiting.pendingAskToBuyConfirmation)
    session.interruptedPurchasesEnabled = false
    try session.resolveIssueForTransaction(identifier: waiting.identifier)
    #expect(await app.first(1).map(\.productID) == [Shop.lifetime])
    // Nothing comes a second time: what follows is the next purchase.
    try await session.buyProduct(identifier: Shop.coins)
    #expect(await app.first(2).map(\.productID) == [Shop.lifetime, Shop.coins])
    #expect(session.allTransactions().allSatisfy { !$0.hasPurchaseIssue })
  }
}
extension SKTestError.Code: Error {}
