import Foundation
import StoreKitTest
import Testing

/// What public suites expect of simulated errors (Apple: setSimulatedError(_:forAPI:)).
@Suite(.storeKitWorld, .timeLimit(.minutes(1))) struct SimulatedErrorTests {
  private let session: SKTestSession

  init() throws { session = try Shop.session() }

  private func isOffline(_ error: any Error) -> Bool {
    if case StoreKitError.networkError(let error) = error { error.code == .notConnectedToInternet } else { false }
  }

  @Test func cancelledPurchaseBuysNothing() async throws {
    try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
    #expect(await session.simulatedError(forAPI: .purchase) == SKTestFailures.Purchase.generic(.userCancelled))
    let product = try await Shop.product(Shop.lifetime)
    guard case .userCancelled = try await product.purchase() else {
      Issue.record("the purchase was not cancelled")
      return
    }
    #expect(session.allTransactions().isEmpty)
    try await session.setSimulatedError(nil, forAPI: .purchase)
    #expect(await session.simulatedError(forAPI: StoreKitPurchaseAPI()) == nil)
    #expect(try await Shop.buyInApp(Shop.lifetime) != nil)
  }

  @Test func purchaseFailsWithItsOwnErrors() async throws {
    try await session.setSimulatedError(.purchase(.purchaseNotAllowed), forAPI: StoreKitPurchaseAPI())
    let product = try await Shop.product(Shop.lifetime)
    await #expect(throws: Product.PurchaseError.purchaseNotAllowed) { _ = try await product.purchase() }
  }

  @Test func productsAndSyncAndStatusFailWithoutNetwork() async throws {
    let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))
    let subscription = try #require(try await Shop.product(Shop.monthly).subscription)
    try await session.setSimulatedError(.generic(offline), forAPI: .loadProducts)
    try await session.setSimulatedError(.generic(offline), forAPI: .appStoreSync)
    try await session.setSimulatedError(.generic(offline), forAPI: .subscriptionStatus)
    await #expect { _ = try await Product.products(for: [Shop.coins]) } throws: { isOffline($0) }
    await #expect { try await AppStore.sync() } throws: { isOffline($0) }
    await #expect { _ = try await subscription.status } throws: { isOffline($0) }
    session.resetToDefaultState()
    #expect(try await Product.products(for: [Shop.coins]).count == 1)
    try await AppStore.sync()
    #expect(try await subscription.status.isEmpty)
    #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
  }

  @Test func failedVerificationShowsAsUnverified() async throws {
    try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
    guard case .success(.unverified(_, let error)) = try await Shop.product(Shop.lifetime).purchase() else {
      Issue.record("the transaction was verified")
      return
    }
    #expect(error == .invalidSignature)
    #expect(await Shop.entitled() == [])
    try await session.setSimulatedError(nil, forAPI: .verification)
    #expect(await Shop.entitled() == [Shop.lifetime])
  }

  @Test func failuresAreComparedByWhatTheySay() {
    #expect(SKTestFailures.Purchase.generic(.userCancelled) != .generic(.unknown))
    #expect(SKTestFailures.Purchase.purchase(.invalidQuantity) != .purchase(.ineligibleForOffer))
    #expect(
      SKTestFailures.AppStoreSync.generic(.networkError(URLError(.timedOut)))
        == .generic(.networkError(URLError(.timedOut))))
    #expect(SKTestFailures.RefundRequest.refundRequest(.failed) != .refundRequest(.duplicateRequest))
    #expect(SKTestFailures.Verification.verification(.invalidSignature) == .verification(.invalidSignature))
  }
}
