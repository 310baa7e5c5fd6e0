import Shared

/// A catalogue as people read it: a row a product, a line for each of its offers, and a summary.
struct CatalogTable {
  private let catalog: Catalog

  init(_ catalog: Catalog) {
    self.catalog = catalog
  }

  var lines: [String] {
    (catalog.products.isEmpty ? [] : table.lines + [""]) + [summary]
  }

  private var table: Table {
    var table = Table([
      .init("Group"), .init("Level", .trailing), .init("Product"), .init("Type"), .init("Price", .trailing),
      .init("Period"), .init("Family"), .init("Offers"),
    ])
    for product in catalog.products {
      let offers = product.subscription?.offers.map(words) ?? []
      table.addRow([
        product.subscription.flatMap { catalog.group($0.groupID) }.map { $0.name.isEmpty ? $0.id : $0.name } ?? "",
        product.subscription.map { String($0.level) } ?? "",
        product.id,
        product.type.rawValue,
        "\(price(product.priceMilliunits)) \(catalog.settings.currency)",
        product.subscription.map { $0.period.words } ?? "",
        product.isFamilyShareable ? "yes" : "no",
        offers.first ?? "",
      ])
      for offer in offers.dropFirst() { table.addRow(["", "", "", "", "", "", "", offer]) }
    }
    return table
  }

  private var summary: String {
    let offers = catalog.products.reduce(0) { $0 + ($1.subscription?.offers.count ?? 0) }
    let counts = [
      counted(catalog.products.count, "product"), counted(catalog.groups.count, "subscription group"),
      counted(offers, "offer"), counted(catalog.warnings.count, "warning"),
    ]
    return "\(counts.joined(separator: ", ")); format \(catalog.version), storefront \(catalog.settings.storefront)."
  }

  private func price(_ milliunits: Int64) -> String {
    Milliunits.text(
      milliunits, fractionDigits: StorefrontCurrency.fractionDigits(of: catalog.settings.currency))
  }

  /// Such as "introductory: 7 days free" and "promotional spring: 3 × 1 month at 2.99".
  private func words(_ offer: SubscriptionOffer) -> String {
    let kind =
      switch offer.kind {
      case .introductory: "introductory"
      case .promotional: "promotional"
      case .code: "code"
      case .winBack: "win-back"
      }
    let name = offer.id.map { "\(kind) \($0)" } ?? kind
    let length = offer.periodCount == 1 ? offer.period.words : "\(offer.periodCount) × \(offer.period.words)"
    switch offer.paymentMode {
    case .freeTrial: return "\(name): \(length) free"
    case .payAsYouGo: return "\(name): \(length) at \(price(offer.priceMilliunits))"
    case .payUpFront: return "\(name): \(length) for \(price(offer.priceMilliunits)) up front"
    }
  }
}

extension SubscriptionPeriod {
  /// Such as "7 days".
  fileprivate var words: String {
    let noun =
      switch unit {
      case .day: "day"
      case .week: "week"
      case .month: "month"
      case .year: "year"
      }
    return counted(value, noun)
  }
}

func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
