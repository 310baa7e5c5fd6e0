/// What kind of thing a product is; raw values are those of signed transactions.
package enum ProductType: String, Sendable, Hashable, Codable, CaseIterable {
  case consumable = "Consumable"
  case nonConsumable = "Non-Consumable"
  case nonRenewing = "Non-Renewing Subscription"
  case autoRenewable = "Auto-Renewable Subscription"

  /// Whether a purchase can be shared with the family; App Store Connect offers the switch for these two only.
  package var allowsFamilySharing: Bool { self == .nonConsumable || self == .autoRenewable }
}
