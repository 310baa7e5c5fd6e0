package import Shared

/// An offer that was redeemed and begins with a renewal.
package struct ComingOffer: Hashable, Sendable, Codable {
  /// A renewal as another plan gives it up.
  package var productId: String
  package var offer: SubscriptionOffer

  package init(productId: String, offer: SubscriptionOffer) {
    self.productId = productId
    self.offer = offer
  }

  var applied: AppliedOffer { AppliedOffer(offer) }
}
