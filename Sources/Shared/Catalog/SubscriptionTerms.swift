/// What an auto-renewable subscription has beyond other products.
package struct SubscriptionTerms: Sendable, Hashable, Codable {
  package let groupID: String
  /// The level of service in the group: 1 is the highest, equal numbers are the same level. The order in the file
  /// means nothing.
  package let level: Int
  package let period: SubscriptionPeriod
  /// At most one up to version 4.0 of the file; 5.0 has a list.
  package let introductoryOffers: [SubscriptionOffer]
  package let promotionalOffers: [SubscriptionOffer]
  package let codeOffers: [SubscriptionOffer]
  package let winBackOffers: [SubscriptionOffer]

  package init(
    groupID: String, level: Int, period: SubscriptionPeriod, introductoryOffers: [SubscriptionOffer],
    promotionalOffers: [SubscriptionOffer], codeOffers: [SubscriptionOffer], winBackOffers: [SubscriptionOffer]
  ) {
    self.groupID = groupID
    self.level = level
    self.period = period
    self.introductoryOffers = introductoryOffers
    self.promotionalOffers = promotionalOffers
    self.codeOffers = codeOffers
    self.winBackOffers = winBackOffers
  }

  /// Every offer of every kind.
  package var offers: [SubscriptionOffer] { introductoryOffers + promotionalOffers + codeOffers + winBackOffers }
}
