import Foundation
import StoreKitTest
import Testing

@testable import PhotoFilters

/// The purchase manager alone, as a unit test in Xcode has it.
@MainActor @Suite(.storeKitWorld, .timeLimit(.minutes(1)))
struct PhotoFiltersSessionTests {
  private let session: SKTestSession

  init() throws { session = try Stage.session() }

  @Test func aPlanIsKnownUntilItIsRefunded() async throws {
    let manager = PurchaseManager()
    await until { manager.plan == .some(nil) }
    await manager.buy(Stage.season)
    #expect(manager.phase == .completed && manager.plan == .some(nil), "a season pass is no plan")
    await manager.buy(Stage.monthly)
    #expect(manager.phase == .completed && manager.plan == Stage.monthly)
    let plan = try #require(session.allTransactions().first { $0.productIdentifier == Stage.monthly })
    try session.refundTransaction(identifier: plan.identifier)
    await until { manager.plan == .some(nil) }
  }

  /// The balance is in `UserDefaults`, which the tests of a process share: one test of coins.
  @Test func coinsAreGrantedOnceWhereverTheyWereBought() async throws {
    for key in ["coins", "granted"] { UserDefaults.standard.removeObject(forKey: key) }
    let manager = PurchaseManager()
    await manager.buy(Stage.coins)
    #expect(manager.coinBalance == 100)
    try await session.buyProduct(identifier: Stage.coins)
    await until { manager.coinBalance == 200 }
    session.settle()
    // Everything was finished, so a new launch hears of nothing.
    for await _ in Transaction.unfinished { Issue.record("comes again at the next launch") }
    #expect(PurchaseManager().coinBalance == 200)
    for key in ["coins", "granted"] { UserDefaults.standard.removeObject(forKey: key) }
  }

  @Test func whatWaitsForApprovalIsNoFailure() async throws {
    session.askToBuyEnabled = true
    let manager = PurchaseManager()
    await manager.buy(Stage.monthly)
    #expect(manager.phase == .awaitingApproval && manager.problem == nil)
    let waiting = try #require(session.allTransactions().first)
    try session.approveAskToBuyTransaction(identifier: waiting.identifier)
    await until { manager.plan == Stage.monthly }
  }

  @Test func aFailureIsTold() async throws {
    let manager = PurchaseManager()
    try await session.setSimulatedError(.generic(.networkError(URLError(.timedOut))), forAPI: .purchase)
    await manager.buy(Stage.monthly)
    #expect(manager.phase == .failed && manager.problem != nil)
  }
}
