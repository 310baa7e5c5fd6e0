/// Something that can be bought.
package struct CatalogProduct: Sendable, Hashable, Codable, Identifiable {
  /// The product id, unique in its catalogue.
  package let id: String
  package let type: ProductType
  /// Thousandths of the currency unit: 990 is 0.99. Never negative, at most ``Milliunits/maximum``.
  package let priceMilliunits: Int64
  /// The developer's own name for it; nil where the file has none.
  package let referenceName: String?
  /// True only for types that allow it.
  package private(set) var isFamilyShareable: Bool
  /// In file order; may be empty.
  package let localizations: [ProductLocalization]
  /// Present exactly when `type` is auto-renewable.
  package let subscription: SubscriptionTerms?

  package init(
    id: String, type: ProductType, priceMilliunits: Int64, referenceName: String?, isFamilyShareable: Bool,
    localizations: [ProductLocalization], subscription: SubscriptionTerms?
  ) {
    self.id = id
    self.type = type
    self.priceMilliunits = priceMilliunits
    self.referenceName = referenceName
    self.isFamilyShareable = isFamilyShareable
    self.localizations = localizations
    self.subscription = subscription
  }

  /// The same product, which can be shared with the family. Its type allows that.
  var shareable: CatalogProduct {
    var product = self
    product.isFamilyShareable = true
    return product
  }
}
