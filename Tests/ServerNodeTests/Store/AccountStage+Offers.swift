import Foundation
import ServerNode
import Shared
import Testing
import Wire

extension AccountStage {
  /// A promotional offer as a server signs it for this purchase.
  func signed(
    _ offer: String, of product: String = "pro.monthly", token: UUID? = nil, nonce: UUID = UUID(),
    at timestamp: StoreTime? = nil, key: OffersKey? = nil
  ) throws -> PromotionalOfferSignature {
    let key = try #require(key ?? world.offersKey)
    let timestamp = (timestamp ?? now).milliseconds
    let message = PromotionalOfferMessage(
      bundleId: world.bundleId, keyId: key.id, productId: product, offerId: offer, appAccountToken: token,
      nonce: nonce, timestamp: timestamp)
    return PromotionalOfferSignature(
      offerId: offer, keyId: key.id, nonce: nonce, timestamp: timestamp, signature: try key.sign(message.data))
  }

  /// The claims that a server signs for this purchase; `change` makes them wrong.
  func claims(
    _ offer: String?, of product: String = "pro.monthly", change: (inout OfferClaims) -> Void = { _ in }
  ) -> OfferClaims {
    var claims = OfferClaims(
      iss: "57246542-96fe-1a63-e053-0824d011072a", iat: now.milliseconds / 1_000, aud: OfferClaims.promotionalOffer,
      bid: world.bundleId, nonce: UUID(), productId: product, offerIdentifier: offer)
    change(&claims)
    return claims
  }

  func jws(_ claims: OfferClaims, key: OffersKey? = nil) throws -> String {
    try #require(key ?? world.offersKey).jws(WireJSON.encode(claims)).string
  }

  /// What an introductory offer's eligibility is to be.
  func eligibility(_ allows: Bool?, of product: String) throws -> PurchaseOffer {
    let claims = claims(nil, of: product) {
      $0.aud = OfferClaims.introductoryOfferEligibility
      $0.allowIntroductoryOffer = allows
      $0.transactionId = state.profile?.appTransactionId
    }
    return .introductoryEligibility(jws: try jws(claims))
  }

  @discardableResult
  mutating func buy(
    _ product: String = "pro.monthly", with offer: PurchaseOffer, token: UUID? = nil, asks: Bool = false
  ) throws(WireError) -> AccountDecision {
    try play(
      .purchase(
        Purchase(productId: product, appAccountToken: token, simulatesAskToBuy: asks, offer: offer)))
  }

  @discardableResult
  mutating func promote(_ offer: String, of product: String = "pro.monthly") throws -> AccountDecision {
    try buy(product, with: .promotional(try signed(offer, of: product)))
  }

  /// The name of the refusal; nil when it was sold.
  mutating func refusal(_ offer: PurchaseOffer, of product: String = "pro.monthly", token: UUID? = nil) -> Refusal? {
    do throws(WireError) {
      try buy(product, with: offer, token: token)
      return nil
    } catch { return error.refusal }
  }

  /// Who paid for a plan, and let it end.
  static func lapsed(_ product: String = "pro.monthly") throws -> AccountStage {
    var stage = try AccountStage()
    try stage.buy(product)
    try stage.play(.setAutoRenew(SetAutoRenew(productId: product, on: false)))
    try stage.advance(days: 400)
    return stage
  }
}
