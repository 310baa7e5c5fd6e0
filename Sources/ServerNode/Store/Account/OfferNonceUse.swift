package import Foundation

/// What used up the signature of an offer.
package struct OfferNonceUse: Hashable, Sendable, Codable {
  /// Nil when it is not known, so that nothing counts as the same request asked again.
  package var request: UUID?

  package init(request: UUID?) { self.request = request }
}
