package import Foundation

/// The offer that a purchase asks for, with what the developer's server has signed for it.
package enum PurchaseOffer: Hashable, Sendable {
  /// Signed in the first way: DER bytes over the joined parameters.
  case promotional(PromotionalOfferSignature)
  /// Signed as a compact JWS.
  case promotionalJWS(offerId: String, jws: String)
  /// The server decides whether the introductory offer applies; the compact JWS says how.
  case introductoryEligibility(jws: String)
  /// The price, in milliunits, is what the app has shown.
  case winBack(offerId: String, priceMilliunits: Int64)
}

/// A promotional offer's signature and what it was made with.
package struct PromotionalOfferSignature: Codable, Hashable, Sendable {
  package var offerId: String
  package var keyId: String
  package var nonce: UUID
  /// Milliseconds since 1970.
  package var timestamp: Int64
  /// ECDSA P-256 over SHA-256, DER.
  package var signature: Data

  package init(offerId: String, keyId: String, nonce: UUID, timestamp: Int64, signature: Data) {
    self.offerId = offerId
    self.keyId = keyId
    self.nonce = nonce
    self.timestamp = timestamp
    self.signature = signature
  }
}

/// To an account: the customer redeems an offer code in the App Store itself. Names the code or the offer's reference
/// name.
package struct RedeemCode: Request, Hashable {
  package static let name = "redeemCode"
  package typealias Reply = Purchase.Reply
  package var productId: String
  /// The offer's id, which stands for all codes of the offer.
  package var code: String?
  package var referenceName: String?

  package init(productId: String, code: String? = nil, referenceName: String? = nil) {
    self.productId = productId
    self.code = code
    self.referenceName = referenceName
  }
}

/// To a world, from a control connection: the key with which the developer signs offers, so that tests can sign.
package struct DescribeOfferKeys: Request {
  package static let name = "describeOfferKeys"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    package var keyId: String
    /// PKCS #8, PEM.
    package var privateKey: String

    package init(keyId: String, privateKey: String) {
      self.keyId = keyId
      self.privateKey = privateKey
    }
  }
}
