import ClientNode
import Foundation
import Shared
import StoreKit
import Testing
import Wire

/// What app code catches when a part of StoreKit is made to fail.
@Suite(.timeLimit(.minutes(1))) struct SimulatedFailureTests {
  private let daemon = FakeDaemon()

  private func purchaseError(_ failure: SimulatedFailure) async throws -> (any Error)? {
    daemon.sell(.coins)
    daemon.answerPurchases { _ throws(DaemonError) in throw .simulated(failure) }
    return try await on(daemon) {
      let product = try #require(try await Product.products(for: ["coins"]).first)
      do { _ = try await product.purchase() } catch { return error }
      return nil
    }
  }

  @Test(arguments: [
    (SimulatedFailure.PurchaseFailure.invalidQuantity, Product.PurchaseError.invalidQuantity),
    (.productUnavailable, .productUnavailable), (.purchaseNotAllowed, .purchaseNotAllowed),
    (.ineligibleForOffer, .ineligibleForOffer), (.invalidOfferIdentifier, .invalidOfferIdentifier),
    (.invalidOfferPrice, .invalidOfferPrice), (.invalidOfferSignature, .invalidOfferSignature),
    (.missingOfferParameters, .missingOfferParameters),
  ])
  func purchaseErrorsAreThoseOfTheProduct(
    failure: SimulatedFailure.PurchaseFailure, expected: Product.PurchaseError
  ) async throws {
    #expect(try await purchaseError(.purchase(failure)) as? Product.PurchaseError == expected)
  }

  @Test(arguments: [
    (SimulatedFailure.notAvailableInStorefront, "notAvailableInStorefront"),
    (.notEntitled, "notEntitled"), (.unsupported, "unsupported"), (.unknown, "unknown"),
    (.systemError, "systemError"), (.networkError(code: -1_001), "networkError"),
  ])
  func genericFailuresAreStoreKitErrors(failure: SimulatedFailure, expected: String) async throws {
    let error = try #require(try await purchaseError(failure) as? StoreKitError)
    #expect("\(error)".hasPrefix(expected))
    daemon.failSync(.simulated(failure))
    await #expect {
      try await on(daemon) { try await AppStore.sync() }
    } throws: { "\($0)".hasPrefix(expected) && $0 is StoreKitError }
  }

  @Test func cancelledPurchaseIsAResult() async throws {
    daemon.sell(.coins)
    let product = try #require(try await on(daemon) { try await Product.products(for: ["coins"]) }.first)
    daemon.answerPurchases { _ throws(DaemonError) in throw .simulated(.userCancelled) }
    guard case .userCancelled = try await product.purchase() else { return #expect(Bool(false), "not cancelled") }
    daemon.failSync(.simulated(.userCancelled))
    await #expect {
      try await on(daemon) { try await AppStore.sync() }
    } throws: {
      if case StoreKitError.userCancelled = $0 { true } else { false }
    }
  }

  @Test func networkErrorKeepsItsCode() async throws {
    guard case StoreKitError.networkError(let error)? = try await purchaseError(.networkError(code: -1_001)) else {
      Issue.record("no network error")
      return
    }
    #expect(error.code == .timedOut)
  }

  @Test func deviceThatMayNotBuySaysSoToTheApp() async {
    let managed = FakeDaemon("managed", canMakePayments: false)
    await on(managed) { #expect(!AppStore.canMakePayments) }
  }
}
