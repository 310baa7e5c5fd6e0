package import Shared

/// What a purchase asks for beyond the product: an offer of the catalogue, or the server's word on the introductory one.
package struct OfferTerms: Hashable, Sendable {
  package var offer: SubscriptionOffer?
  /// Nil when the store decides.
  package var allowsIntroductory: Bool?

  package init(offer: SubscriptionOffer? = nil, allowsIntroductory: Bool? = nil) {
    self.offer = offer
    self.allowsIntroductory = allowsIntroductory
  }
}
