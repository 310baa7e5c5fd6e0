import Foundation
import Wire

extension Product.PurchaseOption {
  /// The offer that a set of options asks for.
  /// - Throws: `missingOfferParameters` when a part of it is missing, `ineligibleForOffer` for more than one.
  static func offer(of options: Set<Product.PurchaseOption>) throws(Product.PurchaseError) -> PurchaseOffer? {
    var offers: [PurchaseOffer] = []
    var promotionalId: Value?
    var promotionalSignature: Value?
    for option in options {
      switch option.kind {
      case .promotionalOffer(let id, let signature):
        offers.append(
          .promotional(
            PromotionalOfferSignature(
              offerId: id, keyId: signature.keyID, nonce: signature.nonce, timestamp: Int64(signature.timestamp),
              signature: signature.signature)))
      case .winBackOffer(let offer): offers.append(try winBack(offer))
      case .custom(OfferOptionKey.promotionalId, let value): promotionalId = value
      case .custom(OfferOptionKey.promotionalSignature, let value): promotionalSignature = value
      case .custom(OfferOptionKey.introductoryEligibility, let value):
        guard case .text(let jws) = value else { throw .missingOfferParameters }
        offers.append(.introductoryEligibility(jws: jws))
      default: break
      }
    }
    if promotionalId != nil || promotionalSignature != nil {
      offers.append(try promotional(promotionalId, promotionalSignature))
    }
    guard offers.count <= 1 else { throw .ineligibleForOffer }
    return offers.first
  }

  private static func promotional(
    _ id: Value?, _ signature: Value?
  ) throws(Product.PurchaseError) -> PurchaseOffer {
    guard case .text(let id) = id, case .text(let encoded) = signature else { throw .missingOfferParameters }
    guard let jws = Data(base64Encoded: encoded).flatMap({ String(data: $0, encoding: .utf8) }) else {
      throw .invalidOfferSignature
    }
    return .promotionalJWS(offerId: id, jws: jws)
  }

  private static func winBack(
    _ offer: Product.SubscriptionOffer
  ) throws(Product.PurchaseError) -> PurchaseOffer {
    guard offer.type == .winBack else { throw .invalidOfferIdentifier }
    guard let id = offer.id else { throw .missingOfferParameters }
    return .winBack(offerId: id, priceMilliunits: offer.milliunits)
  }
}
