import Shared

/// What every catalogue promises, checked without any help from the reader.
enum CatalogInvariants {
  static func broken(_ catalog: Catalog) -> [String] {
    var broken: [String] = []
    func expect(_ condition: Bool, _ text: String) {
      if !condition { broken.append(text) }
    }
    for (index, product) in catalog.products.enumerated() {
      let id = product.id
      expect(!id.isEmpty, "an empty id")
      expect(catalog.product(id) == product, "\(id) is not found under its id")
      expect(!catalog.products[..<index].contains { $0.id == id }, "\(id) appears twice")
      expect(product.priceMilliunits >= 0 && product.priceMilliunits <= Milliunits.maximum, "\(id) has a bad price")
      expect((product.subscription != nil) == (product.type == .autoRenewable), "\(id) has wrong terms")
      if product.isFamilyShareable {
        expect(product.type == .nonConsumable || product.type == .autoRenewable, "\(id) is shareable")
      }
      guard let terms = product.subscription else { continue }
      expect(terms.level >= 1, "\(id) has level \(terms.level)")
      expect(terms.period.value >= 1, "\(id) has period \(terms.period)")
      let group = catalog.group(terms.groupID)
      expect(group?.productIDs.filter { $0 == id }.count == 1, "\(id) is not once in its group")
      let lists: [(SubscriptionOffer.Kind, [SubscriptionOffer])] = [
        (.introductory, terms.introductoryOffers), (.promotional, terms.promotionalOffers),
        (.code, terms.codeOffers), (.winBack, terms.winBackOffers),
      ]
      for (kind, offers) in lists {
        for (index, offer) in offers.enumerated() {
          expect(offer.kind == kind, "\(id) has a \(offer.kind) offer among \(kind) offers")
          expect(offer.periodCount >= 1, "\(id) has an offer of \(offer.periodCount) periods")
          expect(offer.priceMilliunits >= 0, "\(id) has an offer that pays the customer")
          expect(offer.paymentMode != .freeTrial || offer.priceMilliunits == 0, "\(id) has a free offer with a price")
          expect((offer.id == nil) == (kind == .introductory), "\(id) has a \(kind) offer with id \(offer.id ?? "nil")")
          expect(
            offer.id == nil || !offers[..<index].contains { $0.id == offer.id }, "\(id) has an offer id twice")
        }
      }
    }
    for group in catalog.groups {
      expect(!group.id.isEmpty, "an empty group id")
      expect(catalog.groups.filter { $0.id == group.id }.count == 1, "group \(group.id) appears twice")
      for id in group.productIDs {
        expect(catalog.product(id)?.subscription?.groupID == group.id, "group \(group.id) has a stranger \(id)")
      }
    }
    return broken
  }
}
