import ClientNode
import Foundation
import Shared
import StoreKit
import Testing
import Wire

/// How the purchase options that carry an offer reach the store.
@Suite(.timeLimit(.minutes(1))) struct OfferPurchaseTests {
  private let daemon = FakeDaemon()
  private static let jws = "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"
  private static let nonce = UUID()

  private func plan() async throws -> Product {
    daemon.sell(.wonBack, groups: ["21000000": "Premium"])
    daemon.answerPurchases { _ throws(DaemonError) in .pending }
    return try await on(daemon) { try #require(try await Product.products(for: ["wonBack"]).first) }
  }

  private func offer(_ options: Set<Product.PurchaseOption>) async throws -> PurchaseOffer? {
    let product = try await plan()
    _ = try await product.purchase(options: options)
    guard case .purchase(let order) = daemon.calls.last else { return nil }
    return order.offer
  }

  @Test func promotionalOfferReachesTheStoreInBothForms() async throws {
    let expected = PurchaseOffer.promotional(
      PromotionalOfferSignature(
        offerId: "o", keyId: "K", nonce: Self.nonce, timestamp: 42, signature: Data([0x30, 0x44])))
    let signature = Product.SubscriptionOffer.Signature(
      keyID: "K", nonce: Self.nonce, timestamp: 42, signature: Data([0x30, 0x44]))
    #expect(try await offer([.promotionalOffer(offerID: "o", signature: signature)]) == expected)
    #expect(
      try await offer([
        .promotionalOffer(
          offerID: "o", keyID: "K", nonce: Self.nonce, signature: Data([0x30, 0x44]), timestamp: 42)
      ]) == expected)
    let compact = try await offer(Set(Product.PurchaseOption.promotionalOffer("o", compactJWS: Self.jws)))
    #expect(compact == .promotionalJWS(offerId: "o", jws: Self.jws))
  }

  /// Apple's compact form is two custom options, which wrappers also write themselves.
  @Test func customOptionsAreTheCompactForm() async throws {
    let signature = Data(Self.jws.utf8).base64EncodedString()
    let written = try await offer([
      .custom(key: "adHocOfferId", value: "o"), .custom(key: "adHocSignature", value: signature),
    ])
    #expect(written == .promotionalJWS(offerId: "o", jws: Self.jws))
    #expect(
      try await offer([.custom(key: "introOfferEligibilityParam", value: Self.jws)])
        == .introductoryEligibility(jws: Self.jws))
  }

  @Test func introductoryEligibilityReachesTheStore() async throws {
    #expect(
      try await offer([.introductoryOfferEligibility(compactJWS: Self.jws)])
        == .introductoryEligibility(jws: Self.jws))
  }

  @Test func winBackOfferReachesTheStoreWithThePriceThatWasShown() async throws {
    let product = try await plan()
    let shown = try #require(product.subscription?.winBackOffers.first)
    #expect(try await offer([.winBackOffer(shown)]) == .winBack(offerId: "return", priceMilliunits: 1_990))
  }

  @Test func otherOptionsAskForNoOffer() async throws {
    #expect(try await offer([.custom(key: "campaign", value: "x"), .appAccountToken(UUID())]) == nil)
  }

  private static let incomplete: [([Product.PurchaseOption], Product.PurchaseError)] = [
    ([.custom(key: "adHocOfferId", value: "o")], .missingOfferParameters),
    ([.custom(key: "adHocSignature", value: "eA==")], .missingOfferParameters),
    ([.custom(key: "adHocOfferId", value: "o"), .custom(key: "adHocSignature", value: 1.5)], .missingOfferParameters),
    ([.custom(key: "introOfferEligibilityParam", value: true)], .missingOfferParameters),
    ([.custom(key: "adHocOfferId", value: "o"), .custom(key: "adHocSignature", value: jws)], .invalidOfferSignature),
    (
      [
        .introductoryOfferEligibility(compactJWS: jws),
        .promotionalOffer(offerID: "o", keyID: "K", nonce: nonce, signature: Data([1]), timestamp: 1),
      ], .ineligibleForOffer
    ),
  ]

  @Test(arguments: incomplete)
  func incompleteOffersAreRefusedOnTheDevice(
    _ options: [Product.PurchaseOption], _ expected: Product.PurchaseError
  ) async throws {
    let product = try await plan()
    let calls = daemon.calls
    await #expect(throws: expected) { try await product.purchase(options: Set(options)) }
    #expect(daemon.calls == calls)
  }

  @Test func offerOfAnotherKindIsNoWinBackOffer() async throws {
    let product = try await plan()
    let introductory = try #require(product.subscription?.introductoryOffer)
    await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
      try await product.purchase(options: [.winBackOffer(introductory)])
    }
  }
}

extension CatalogProduct {
  fileprivate static let wonBack = CatalogProduct(
    id: "wonBack", type: .autoRenewable, priceMilliunits: 39_990, referenceName: "Yearly", isFamilyShareable: true,
    localizations: [],
    subscription: SubscriptionTerms(
      groupID: "21000000", level: 1, period: .week,
      introductoryOffers: [
        SubscriptionOffer(
          id: nil, kind: .introductory, referenceName: nil, paymentMode: .freeTrial, period: .week, periodCount: 1,
          priceMilliunits: 0)
      ], promotionalOffers: [], codeOffers: [],
      winBackOffers: [
        SubscriptionOffer(
          id: "return", kind: .winBack, referenceName: nil, paymentMode: .payUpFront, period: .week, periodCount: 4,
          priceMilliunits: 1_990)
      ]))
}
