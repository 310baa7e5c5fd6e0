package import Wire

/// What a step does to an account besides its subscriptions and its money.
package enum AccountAction: Sendable, Hashable {
  /// An offer code, or the reference name of an offer.
  case redeem(productId: String, code: String?, offer: String?)
  /// Binds the newest purchase of a product to a user of the app.
  case setToken(user: String, productId: String)
  /// The developer's server answers the store's question about the purchase that money back is asked for.
  case tellConsumption(productId: String, ConsumptionRequestV2)
  case moveTo(storefront: String)
  case reset
}
