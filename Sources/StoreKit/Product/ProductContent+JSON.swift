import Foundation
import Shared

extension ProductContent {
  /// Apple's own JSON is not documented; these are the members that its StoreKit is known to read.
  var json: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and numbers always encode.
    return (try? encoder.encode(ProductJSON(self))) ?? Data()
  }
}

private struct ProductJSON: Encodable {
  struct Attributes: Encodable {
    struct Description: Encodable { let standard: String }

    let description: Description
    let icuLocale: String
    let isFamilyShareable: Int
    let kind: String
    let name: String
    let offerName: String
    let offers: [Offer]
    let subscriptionFamilyId: String?
    let subscriptionFamilyName: String?
    let subscriptionFamilyRank: Int?
  }

  struct Offer: Encodable {
    let currencyCode: String
    let discounts: [Discount]
    let price: String
    let priceFormatted: String
    let recurringSubscriptionPeriod: String?
    let type: String
  }

  struct Discount: Encodable {
    let id: String?
    let modeType: String
    let numOfPeriods: Int
    let price: String
    let priceFormatted: String
    let recurringSubscriptionPeriod: String
    let type: String
  }

  let attributes: Attributes
  let id: String
  let type: String

  init(_ content: ProductContent) {
    let product = content.product
    let terms = product.subscription
    id = product.id
    type = "in-apps"
    attributes = Attributes(
      description: .init(standard: content.localization?.description ?? ""),
      icuLocale: "\(content.locale)@currency=\(content.currency)",
      isFamilyShareable: product.isFamilyShareable ? 1 : 0, kind: product.type.rawValue,
      name: content.localization?.displayName ?? product.referenceName ?? product.id, offerName: product.id,
      offers: [
        Offer(
          currencyCode: content.currency,
          discounts: (terms?.offers ?? []).filter { $0.kind != .code }.map { Self.discount($0, content) },
          price: Milliunits.text(product.priceMilliunits),
          priceFormatted: content.displayPrice(product.priceMilliunits),
          recurringSubscriptionPeriod: terms?.period.description, type: "buy")
      ],
      subscriptionFamilyId: terms?.groupID, subscriptionFamilyName: terms.map { _ in content.groupDisplayName },
      subscriptionFamilyRank: terms?.level)
  }

  private static func discount(_ offer: SubscriptionOffer, _ content: ProductContent) -> Discount {
    Discount(
      id: offer.id, modeType: Product.SubscriptionOffer.PaymentMode(offer.paymentMode).rawValue,
      numOfPeriods: offer.periodCount, price: Milliunits.text(offer.priceMilliunits),
      priceFormatted: content.displayPrice(offer.priceMilliunits),
      recurringSubscriptionPeriod: offer.period.description,
      type: Product.SubscriptionOffer.OfferType(offer.kind).rawValue)
  }
}
