package enum ProductType: String, Hashable, Sendable, Codable {
  case consumable = "Consumable"
  case nonConsumable = "Non-Consumable"
  case nonRenewing = "Non-Renewing Subscription"
  case autoRenewable = "Auto-Renewable Subscription"
}

package struct CatalogProduct: Hashable, Sendable, Codable {
  package var id: String
}
