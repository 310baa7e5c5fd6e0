package import Foundation

/// The payload of a JWS with which a developer's server allows an offer (Apple: Generating JWS to sign App Store
/// requests).
package struct OfferClaims: Hashable, Sendable, Codable {
  package static let promotionalOffer = "promotional-offer"
  package static let introductoryOfferEligibility = "introductory-offer-eligibility"

  /// Whose server it is: the issuer's id.
  package var iss: String
  /// Seconds since 1970.
  package var iat: Int64
  /// What it is for: one of the constants above.
  package var aud: String
  /// The app's bundle id.
  package var bid: String
  package var nonce: UUID
  package var productId: String
  package var offerIdentifier: String?
  /// Any transaction of the customer, or the appTransactionId.
  package var transactionId: String?
  package var allowIntroductoryOffer: Bool?

  package init(
    iss: String, iat: Int64, aud: String, bid: String, nonce: UUID, productId: String, offerIdentifier: String? = nil,
    transactionId: String? = nil, allowIntroductoryOffer: Bool? = nil
  ) {
    self.iss = iss
    self.iat = iat
    self.aud = aud
    self.bid = bid
    self.nonce = nonce
    self.productId = productId
    self.offerIdentifier = offerIdentifier
    self.transactionId = transactionId
    self.allowIntroductoryOffer = allowIntroductoryOffer
  }
}
