import ClientNode
import Foundation
import Shared
import StoreKit
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct PurchaseTests {
  private let daemon = FakeDaemon()

  private func pro() async throws -> Product {
    daemon.sell(.pro)
    return try await on(daemon) { try #require(try await Product.products(for: ["pro"]).first) }
  }

  @Test func optionsReachTheStore() async throws {
    let product = try await pro()
    let token = UUID()
    daemon.answerPurchases { _ throws(DaemonError) in .pending }
    let options: Set<Product.PurchaseOption> = [
      .appAccountToken(token), .quantity(3), .simulatesAskToBuyInSandbox(true), .custom(key: "campaign", value: "x"),
      .onStorefrontChange { _ in true },
    ]
    let result = try await CurrentDevice.$intendedAt.withValue(42) { try await product.purchase(options: options) }
    guard case .pending = result else { return #expect(Bool(false), "\(result)") }
    let order = PurchaseOrder(
      productId: "pro", quantity: 3, appAccountToken: token, simulatesAskToBuy: true, intendedAt: 42)
    #expect(daemon.calls.last == .purchase(order))
  }

  @Test func successGivesTheTransactionAndCancellingGivesNone() async throws {
    let product = try await pro()
    let signed = SignedTransaction(record: .of(.pro, id: 9), jws: JWS.of(.of(.pro, id: 9)), failure: nil)
    daemon.answerPurchases { _ throws(DaemonError) in .success(signed) }
    guard case .success(.verified(let transaction)) = try await product.purchase() else {
      return #expect(Bool(false), "not bought")
    }
    #expect(transaction.id == 9)
    daemon.answerPurchases { _ throws(DaemonError) in .userCancelled }
    guard case .userCancelled = try await product.purchase() else { return #expect(Bool(false), "not cancelled") }
  }

  @Test(arguments: [
    (Refusal.productUnavailable, Product.PurchaseError.productUnavailable), (.invalidQuantity, .invalidQuantity),
    (.purchaseNotAllowed, .purchaseNotAllowed), (.ineligibleForOffer, .ineligibleForOffer),
    (.invalidOfferIdentifier, .invalidOfferIdentifier), (.invalidOfferPrice, .invalidOfferPrice),
    (.invalidOfferSignature, .invalidOfferSignature), (.missingOfferParameters, .missingOfferParameters),
  ])
  func refusalsAreStoreKitsOwnErrors(_ refusal: Refusal, _ expected: Product.PurchaseError) async throws {
    let product = try await pro()
    daemon.answerPurchases { _ throws(DaemonError) in throw .refused(refusal, "no") }
    await #expect(throws: expected) { try await product.purchase() }
    #expect(expected.localizedDescription == expected.errorDescription)
  }

  @Test func otherFailuresAreStoreKitErrors() async throws {
    let product = try await pro()
    daemon.answerPurchases { _ throws(DaemonError) in throw .network }
    await #expect {
      try await product.purchase()
    } throws: { error in
      guard case StoreKitError.networkError(let cause) = error else { return false }
      return cause.code == .notConnectedToInternet
    }
    daemon.answerPurchases { _ throws(DaemonError) in throw .appNotRunning }
    await #expect {
      try await product.purchase()
    } throws: { error in
      if case StoreKitError.unknown = error { true } else { false }
    }
    daemon.answerPurchases { _ throws(DaemonError) in throw .refused(.wrongState, "The world is being reset.") }
    await #expect {
      try await product.purchase()
    } throws: { error in
      error.localizedDescription == "The world is being reset."
    }
  }
}
