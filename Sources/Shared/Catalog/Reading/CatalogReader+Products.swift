extension CatalogReader {
  private static let productKeys: Set = [
    "productID", "type", "displayPrice", "referenceName", "familyShareable", "localizations", "internalID",
  ]
  private static let subscriptionKeys = productKeys.union([
    "subscriptionGroupID", "groupNumber", "recurringSubscriptionPeriod", "introductoryOffer", "introductoryOffers",
    "adHocOffers", "codeOffers", "winbackOffers", "billingPlans", "promotionalImageID",
  ])
  /// The periods that App Store Connect offers for a subscription.
  private static let usualPeriods: Set = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

  /// A product of the list that holds consumables and non-consumables. The type cannot be guessed, so it must be there.
  mutating func oneTimeProduct(_ section: JSONSection) -> CatalogProduct? {
    section.noteUnknownKeys(known: CatalogReader.productKeys)
    let types: [String: ProductType] = [
      "Consumable": .consumable, "NonConsumable": .nonConsumable, "NonRenewingSubscription": .nonRenewing,
    ]
    let type = section.member("type")?.text.flatMap { types[$0] }
    if type == nil {
      section.refuse("type", expected: "\"Consumable\", \"NonConsumable\" or \"NonRenewingSubscription\"")
    }
    return product(section, type: type, subscription: nil)
  }

  mutating func nonRenewingSubscription(_ section: JSONSection) -> CatalogProduct? {
    section.noteUnknownKeys(known: CatalogReader.productKeys)
    expectType("NonRenewingSubscription", in: section)
    return product(section, type: .nonRenewing, subscription: nil)
  }

  mutating func subscriptionGroup(
    _ section: JSONSection
  ) -> (group: SubscriptionGroup, subscriptions: [CatalogProduct])? {
    section.noteUnknownKeys(known: ["id", "name", "localizations", "subscriptions"])
    let id = section.identifier("id")
    if let id { groupPlaces.addUnique(id, key: "id", in: section) }
    let localizations = localizations(section)
    let name = section.string("name") ?? ""
    // The subscriptions are read even when the group has no id: their mistakes belong into the list as well.
    let subscriptions = section.sections("subscriptions").compactMap { subscription($0, groupID: id) }
    guard let id else { return nil }
    return (
      SubscriptionGroup(id: id, name: name, localizations: localizations, productIDs: subscriptions.map(\.id)),
      subscriptions
    )
  }

  private mutating func subscription(_ section: JSONSection, groupID: String?) -> CatalogProduct? {
    section.noteUnknownKeys(known: CatalogReader.subscriptionKeys)
    expectType("RecurringSubscription", in: section)
    if let groupID, let named = section.string("subscriptionGroupID"), named != groupID {
      findings.warn(
        section.path("subscriptionGroupID"),
        "\(JSONNode.quoted(named)) is ignored, the subscription stands in group \(JSONNode.quoted(groupID))")
    }
    let level = section.integer("groupNumber", in: CatalogReader.levels, default: 1)
    let period = section.period("recurringSubscriptionPeriod")
    if let period, !CatalogReader.usualPeriods.contains(period.description) {
      findings.warn(
        section.path("recurringSubscriptionPeriod"), "App Store Connect has no subscriptions of \(period)")
    }
    let introductory = introductoryOffers(section)
    let promotional = offers("adHocOffers", kind: .promotional, in: section)
    let code = offers("codeOffers", kind: .code, in: section)
    let winBack = offers("winbackOffers", kind: .winBack, in: section)
    let terms = groupID.flatMap { groupID in
      period.map { period in
        SubscriptionTerms(
          groupID: groupID, level: level, period: period, introductoryOffers: introductory,
          promotionalOffers: promotional, codeOffers: code, winBackOffers: winBack)
      }
    }
    let product = product(section, type: .autoRenewable, subscription: terms)
    return terms == nil ? nil : product
  }

  /// What all products have.
  private mutating func product(
    _ section: JSONSection, type: ProductType?, subscription: SubscriptionTerms?
  ) -> CatalogProduct? {
    let id = section.identifier("productID")
    if let id { productPlaces.addUnique(id, key: "productID", in: section) }
    let price = section.priceMilliunits("displayPrice")
    let referenceName = section.string("referenceName")
    let localizations = localizations(section)
    var isFamilyShareable = section.bool("familyShareable")
    guard let id, let type, let price else { return nil }
    if isFamilyShareable, !type.allowsFamilySharing {
      findings.warn(section.path("familyShareable"), "is ignored, only non-consumables and subscriptions can be shared")
      isFamilyShareable = false
    }
    return CatalogProduct(
      id: id, type: type, priceMilliunits: price, referenceName: referenceName, isFamilyShareable: isFamilyShareable,
      localizations: localizations, subscription: subscription)
  }

  private func expectType(_ type: String, in section: JSONSection) {
    if let node = section.member("type"), node.text != type { section.refuse("type", expected: "\"\(type)\"") }
  }

  private func localizations(_ section: JSONSection) -> [ProductLocalization] {
    section.sections("localizations").map { section in
      section.noteUnknownKeys(known: ["locale", "displayName", "description"])
      return ProductLocalization(
        locale: section.string("locale") ?? "", displayName: section.string("displayName") ?? "",
        description: section.string("description") ?? "")
    }
  }
}
