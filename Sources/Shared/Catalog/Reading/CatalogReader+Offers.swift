extension CatalogReader {
  private static let offerKeys: Set = [
    "internalID", "offerID", "referenceName", "paymentMode", "subscriptionPeriod", "numberOfPeriods", "displayPrice",
    "eligibility", "isStackable", "isEligible", "billingPlanType",
  ]

  /// Reads both spellings: one `introductoryOffer` up to version 4.0, a list `introductoryOffers` in 5.0. Files in
  /// between have both keys; the list counts unless it is empty.
  func introductoryOffers(_ section: JSONSection) -> [SubscriptionOffer] {
    let single = section.section("introductoryOffer").flatMap { offer($0, kind: .introductory) }
    let list = offers("introductoryOffers", kind: .introductory, in: section)
    guard let single else { return list }
    if !list.isEmpty, list != [single] {
      findings.warn(section.path("introductoryOffer"), "is ignored, introductoryOffers counts")
    }
    return list.isEmpty ? [single] : list
  }

  /// Reads the offers of one kind. Public files repeat offer ids after copy and paste; the first of them counts, since
  /// a purchase could name no other.
  func offers(_ key: String, kind: SubscriptionOffer.Kind, in section: JSONSection) -> [SubscriptionOffer] {
    var places = IDPlaces(noun: "offer id")
    return section.sections(key).compactMap { section in
      guard let offer = offer(section, kind: kind) else { return nil }
      guard let id = offer.id else { return offer }
      let idKey = section.contains("offerID") ? "offerID" : "referenceName"
      guard let first = places.add(id, key: idKey, in: section) else { return offer }
      findings.warn(
        section.keyPath, "is ignored, \(first.keyPath) has the offer id \(JSONNode.quoted(id)) already")
      return nil
    }
  }

  private func offer(_ section: JSONSection, kind: SubscriptionOffer.Kind) -> SubscriptionOffer? {
    section.noteUnknownKeys(known: CatalogReader.offerKeys)
    let id = offerID(section, kind: kind)
    let referenceName = section.string("referenceName")
    let mode = paymentMode(section)
    let period = section.period("subscriptionPeriod")
    let count = section.integer("numberOfPeriods", in: SubscriptionOffer.periodCounts, default: 1)
    let price = mode.flatMap { offerPrice(section, mode: $0) }
    let eligibility = kind == .code ? codeEligibility(section) : []
    let isStackable = kind == .code && section.bool("isStackable")
    let isWinBackEligible = kind == .winBack && section.bool("isEligible", default: true)
    guard let mode, let period, let price, id != nil || kind == .introductory else { return nil }
    return SubscriptionOffer(
      id: id, kind: kind, referenceName: referenceName, paymentMode: mode, period: period, periodCount: count,
      priceMilliunits: price, codeEligibility: eligibility, isStackable: isStackable,
      isWinBackEligible: isWinBackEligible)
  }

  private func offerID(_ section: JSONSection, kind: SubscriptionOffer.Kind) -> String? {
    switch kind {
    case .introductory: return nil
    case .promotional, .winBack: return section.identifier("offerID")
    case .code:
      if section.contains("offerID") { return section.identifier("offerID") }
      // Xcode lets people type anything here, so white space is allowed.
      if let name = section.member("referenceName")?.text, !name.isEmpty { return name }
      section.refuse("referenceName", expected: "the name of the offer code")
      return nil
    }
  }

  private func paymentMode(_ section: JSONSection) -> SubscriptionOffer.PaymentMode? {
    switch section.member("paymentMode")?.text {
    case "free": return .freeTrial
    case "payAsYouGo": return .payAsYouGo
    case "payUpFront": return .payUpFront
    default:
      section.refuse("paymentMode", expected: "\"free\", \"payAsYouGo\" or \"payUpFront\"")
      return nil
    }
  }

  private func offerPrice(_ section: JSONSection, mode: SubscriptionOffer.PaymentMode) -> Int64? {
    guard mode == .freeTrial else { return section.priceMilliunits("displayPrice") }
    if section.contains("displayPrice"), let price = section.priceMilliunits("displayPrice"), price != 0 {
      findings.warn(section.path("displayPrice"), "is ignored, the offer is free")
    }
    return 0
  }

  private func codeEligibility(_ section: JSONSection) -> Set<SubscriptionOffer.CodeEligibility> {
    guard section.contains("eligibility") else { return Set(SubscriptionOffer.CodeEligibility.allCases) }
    let known = section.elements("eligibility").compactMap { element in
      let value = element.node.text.flatMap(SubscriptionOffer.CodeEligibility.init(rawValue:))
      if value == nil {
        findings.add(
          CatalogMistake(
            position: element.node.position, keyPath: element.keyPath, found: element.node.summary,
            expected: "\"new\", \"existing\" or \"expired\""))
      }
      return value
    }
    return Set(known)
  }
}
