import ClientNode
import Foundation
import Shared
import StoreKit
import Testing

/// A manager as apps have it, unchanged, on a device.
@MainActor @Suite(.timeLimit(.minutes(1))) struct PurchaseManagerTests {
  private let daemon = FakeDaemon()

  @Test func aTutorialsManagerBuysAndListens() async throws {
    daemon.sell(.pro, .yearly)
    let record = TransactionRecord.of(.pro, id: 1)
    daemon.answerPurchases { [daemon] _ throws(DaemonError) in
      daemon.put(record)
      return .success(SignedTransaction(record: record, jws: JWS.of(record), failure: nil))
    }
    try await on(daemon) {
      let manager = PurchaseManager()
      await manager.loadProducts(["pro", "yearly"])
      #expect(manager.products.map(\.id) == ["pro", "yearly"])
      #expect(await manager.purchase(manager.products[0]))
      #expect(manager.purchasedProductIDs == ["pro"])
      #expect(await manager.describeTrial(of: manager.products[1]) == "1 week free, then $39.99")

      daemon.put(RenewalInfo.subscription)
      daemon.announce(TransactionRecord.yearly)
      await daemon.waitUntilFinished(TransactionRecord.yearly.transactionId)
      #expect(manager.purchasedProductIDs == ["pro", "yearly"])
      let state = try await manager.bestStatus(of: manager.products[1])
      #expect(state == .subscribed)
    }
    daemon.end()
  }
}
