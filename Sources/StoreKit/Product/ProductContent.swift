import Foundation
import Shared
import Wire

/// A product of the catalogue as one storefront shows it.
struct ProductContent: Hashable, Sendable {
  let product: CatalogProduct
  /// Empty unless it is a subscription.
  let groupDisplayName: String
  /// ISO 4217.
  let currency: String
  /// Such as `en_US`.
  let locale: String

  init(_ product: CatalogProduct, in reply: GetProducts.Reply) {
    self.product = product
    groupDisplayName = product.subscription.flatMap { reply.groups[$0.groupID] } ?? ""
    currency = reply.currency
    locale = reply.locale
  }

  /// The texts in the storefront's locale, else in its language, else the first that there are.
  var localization: ProductLocalization? {
    let language = locale.prefix { $0 != "_" && $0 != "-" }
    let all = product.localizations
    return all.first { $0.locale == locale } ?? all.first { $0.locale.hasPrefix(language) } ?? all.first
  }

  var priceFormatStyle: Decimal.FormatStyle.Currency {
    Decimal.FormatStyle.Currency(code: currency, locale: Locale(identifier: locale))
  }

  func displayPrice(_ milliunits: Int64) -> String { Decimal(milliunits: milliunits).formatted(priceFormatStyle) }
}
