import Wire

/// A part of StoreKit that can be made to fail on a device (Apple: SKTestSession's failable APIs).
public enum StoreKitCall: String, Hashable, Sendable, CaseIterable {
  /// `AppStore.sync()`.
  case appStoreSync
  /// `AppTransaction.shared`.
  case appTransaction
  /// `Product.products(for:)`.
  case loadProducts
  /// The sheet that manages subscriptions.
  case manageSubscriptions
  /// The sheet that redeems an offer code.
  case offerCodeRedeem
  /// `Product.purchase(options:)`.
  case purchase
  /// The sheet that asks for money back.
  case refundRequest
  /// `Product.SubscriptionInfo.status`.
  case subscriptionStatus
  /// Not a call: what the device checks of the signed data that it delivers.
  case verification

  var api: FailableAPI {
    switch self {
    case .appStoreSync: .appStoreSync
    case .appTransaction: .appTransaction
    case .loadProducts: .loadProducts
    case .manageSubscriptions: .manageSubscriptions
    case .offerCodeRedeem: .offerCodeRedeem
    case .purchase: .purchase
    case .refundRequest: .refundRequest
    case .subscriptionStatus: .subscriptionStatus
    case .verification: .verification
    }
  }
}
