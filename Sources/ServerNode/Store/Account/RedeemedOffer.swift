/// A code offer that an account has used: each is for once.
package struct RedeemedOffer: Hashable, Sendable, Codable {
  package var productId: String
  package var offerId: String

  package init(productId: String, offerId: String) {
    self.productId = productId
    self.offerId = offerId
  }
}
