/// A catalogue as JSON of our own, without the key pair: for the wire, the journal and `storefleet catalog check --json`.
extension Catalog: Codable {
  private enum Key: String, CodingKey {
    case version, identifier, products, groups, settings, warnings
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(version, forKey: .version)
    try container.encode(identifier, forKey: .identifier)
    try container.encode(products, forKey: .products)
    try container.encode(groups, forKey: .groups)
    try container.encode(settings, forKey: .settings)
    try container.encode(warnings, forKey: .warnings)
  }

  /// Refuses what breaks the rules of a catalogue, since a peer may send anything.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      version: try container.decode(CatalogVersion.self, forKey: .version),
      identifier: try container.decode(String.self, forKey: .identifier),
      products: try container.decode([CatalogProduct].self, forKey: .products),
      groups: try container.decode([SubscriptionGroup].self, forKey: .groups),
      settings: try container.decode(CatalogSettings.self, forKey: .settings),
      subscriptionOffersKeyPair: nil,
      warnings: try container.decode([CatalogWarning].self, forKey: .warnings))
    if let text = brokenRule {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not a catalogue: \(text)"))
    }
  }

  /// The first rule that this value breaks, in words.
  private var brokenRule: String? {
    if Set(products.map(\.id)).count != products.count { return "a product id appears twice" }
    if groups.contains(where: \.id.isEmpty) { return "a group id is empty" }
    if Set(groups.map(\.id)).count != groups.count { return "a group id appears twice" }
    let members = groups.flatMap { group in group.productIDs.map { [$0, group.id] } }
    let subscriptions = products.compactMap { product in product.subscription.map { [product.id, $0.groupID] } }
    if members.count != subscriptions.count || Set(members) != Set(subscriptions) {
      return "the groups and the subscriptions do not name each other"
    }
    for product in products {
      if let text = product.brokenRule { return "product \(product.id): \(text)" }
    }
    return nil
  }
}

extension CatalogProduct {
  fileprivate var brokenRule: String? {
    if id.isEmpty { return "the id is empty" }
    if (type == .autoRenewable) != (subscription != nil) { return "type and subscription terms disagree" }
    if isFamilyShareable, !type.allowsFamilySharing { return "this type cannot be shared with the family" }
    if !(0...Milliunits.maximum).contains(priceMilliunits) { return "the price is out of range" }
    guard let subscription else { return nil }
    if !CatalogReader.levels.contains(subscription.level) { return "the level is out of range" }
    let offersByKind: [(SubscriptionOffer.Kind, [SubscriptionOffer])] = [
      (.introductory, subscription.introductoryOffers), (.promotional, subscription.promotionalOffers),
      (.code, subscription.codeOffers), (.winBack, subscription.winBackOffers),
    ]
    for (kind, offers) in offersByKind {
      if !offers.allSatisfy({ $0.isWhole(as: kind) }) { return "an offer is not a possible \(kind.rawValue) offer" }
      let ids = offers.compactMap(\.id)
      if Set(ids).count != ids.count { return "an offer id appears twice" }
    }
    return nil
  }
}

extension SubscriptionOffer {
  fileprivate func isWhole(as kind: Kind) -> Bool {
    self.kind == kind && (id == nil) == (kind == .introductory)
      && SubscriptionOffer.periodCounts.contains(periodCount)
      && (0...Milliunits.maximum).contains(priceMilliunits)
      && (paymentMode != .freeTrial || priceMilliunits == 0)
      && (kind == .code || (codeEligibility.isEmpty && !isStackable))
      && (kind == .winBack || !isWinBackEligible)
  }
}
