import StoreKitTest
import Testing

@testable import ProUnlock

/// One thing to buy: every way in which that can end.
@MainActor @Suite(.storeKitWorld, .timeLimit(.minutes(1)))
struct ProUnlockSessionTests {
  private let session: SKTestSession

  init() throws { session = try Stage.session() }

  @Test func aPurchaseUnlocksAndARefundLocks() async throws {
    let store = ProStore()
    await until(store.$isPro) { $0 == false }
    await store.buy()
    #expect(store.isPro == true && store.notice == nil)
    let transaction = try #require(session.allTransactions().first)
    try session.refundTransaction(identifier: transaction.identifier)
    await until(store.$isPro) { $0 == false }
  }

  @Test func whatAParentDeclinesStaysLocked() async throws {
    session.askToBuyEnabled = true
    let store = ProStore()
    await store.buy()
    #expect(store.isPro != true && store.notice == "waits for approval")
    try session.declineAskToBuyTransaction(identifier: try #require(session.allTransactions().first).identifier)
    session.askToBuyEnabled = false
    await store.buy()
    #expect(store.isPro == true && store.notice == nil)
  }

  @Test func aRestoreSaysWhetherThereWasSomething() async throws {
    let store = ProStore()
    #expect(try await store.restore() == false)
    try await session.buyProduct(identifier: Stage.lifetime)
    #expect(try await store.restore())
    try await session.setSimulatedError(.generic(.userCancelled), forAPI: .appStoreSync)
    await #expect(throws: StoreKitError.self) { try await store.restore() }
  }
}
