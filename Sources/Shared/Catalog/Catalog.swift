/// What an app sells: the content of a StoreKit configuration file.
///
/// A catalogue is always whole. Product ids are unique, every subscription belongs to a group of the catalogue, every
/// product of a group is there; so no user of it needs to check again.
package struct Catalog: Sendable, Hashable {
  package let version: CatalogVersion
  /// Empty where the file has none (version 1.0).
  package let identifier: String
  /// First `products`, then non-renewing subscriptions, then the subscriptions of each group; each in file order.
  package let products: [CatalogProduct]
  /// In file order.
  package let groups: [SubscriptionGroup]
  package let settings: CatalogSettings
  /// Read for the verification of promotional offers; never encoded and never printed.
  package let subscriptionOffersKeyPair: SubscriptionOffersKeyPair?
  package let warnings: [CatalogWarning]
  private let productIndex: [String: Int]
  private let groupIndex: [String: Int]

  /// Callers keep the rules above.
  init(
    version: CatalogVersion, identifier: String, products: [CatalogProduct], groups: [SubscriptionGroup],
    settings: CatalogSettings, subscriptionOffersKeyPair: SubscriptionOffersKeyPair?, warnings: [CatalogWarning]
  ) {
    self.version = version
    self.identifier = identifier
    self.products = products
    self.groups = groups
    self.settings = settings
    self.subscriptionOffersKeyPair = subscriptionOffersKeyPair
    self.warnings = warnings
    productIndex = Dictionary(zip(products.map(\.id), products.indices), uniquingKeysWith: { first, _ in first })
    groupIndex = Dictionary(zip(groups.map(\.id), groups.indices), uniquingKeysWith: { first, _ in first })
  }

  /// The product with this id, in constant time.
  package func product(_ id: String) -> CatalogProduct? { productIndex[id].map { products[$0] } }

  /// The subscription group with this id, in constant time.
  package func group(_ id: String) -> SubscriptionGroup? { groupIndex[id].map { groups[$0] } }

  /// The subscriptions of a group, in file order; empty for an unknown group.
  package func subscriptions(inGroup id: String) -> [CatalogProduct] {
    group(id)?.productIDs.compactMap(product) ?? []
  }

  /// The same catalogue in another storefront or locale; what is nil stays as it is.
  package func localized(storefront: String?, locale: String?) -> Catalog {
    var settings = settings
    if let storefront { settings.storefront = storefront }
    if let locale { settings.locale = locale }
    return Catalog(
      version: version, identifier: identifier, products: products, groups: groups, settings: settings,
      subscriptionOffersKeyPair: subscriptionOffersKeyPair, warnings: warnings)
  }

  /// The same catalogue, in which this product can be shared with the family, as far as its type allows that.
  package func sharing(_ id: String) -> Catalog {
    Catalog(
      version: version, identifier: identifier,
      products: products.map { $0.id == id && $0.type.allowsFamilySharing ? $0.shareable : $0 }, groups: groups,
      settings: settings, subscriptionOffersKeyPair: subscriptionOffersKeyPair, warnings: warnings)
  }
}
