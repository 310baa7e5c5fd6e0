import Wire

/// A part of StoreKit that `SKTestSession.setSimulatedError(_:forAPI:)` makes fail.
///
/// Apple: https://developer.apple.com/documentation/storekittest/failablestorekitapi
public protocol FailableStoreKitAPI: Sendable {
  associatedtype Failure: Error & Equatable & Sendable
}

/// The parts that there are.
protocol KnownStoreKitAPI: FailableStoreKitAPI where Failure: SimulatedFailureSource {
  var api: FailableAPI { get }
}

/// What the store is told for one of `SKTestFailures`.
protocol SimulatedFailureSource: Sendable {
  var failure: SimulatedFailure { get }
}

/// `Product.products(for:)`.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI, KnownStoreKitAPI {
  public typealias Failure = SKTestFailures.LoadProducts
  var api: FailableAPI { .loadProducts }
  public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
  public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

/// `Product.purchase(options:)`.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI, KnownStoreKitAPI {
  public typealias Failure = SKTestFailures.Purchase
  var api: FailableAPI { .purchase }
  public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
  public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

/// Everything that is signed: it arrives `.unverified`.
public struct StoreKitVerificationAPI: FailableStoreKitAPI, KnownStoreKitAPI {
  public typealias Failure = SKTestFailures.Verification
  var api: FailableAPI { .verification }
  public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
  public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}

/// `AppStore.sync()`.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI, KnownStoreKitAPI {
  public typealias Failure = SKTestFailures.AppStoreSync
  var api: FailableAPI { .appStoreSync }
  public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
  public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

/// Statuses of subscriptions.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI, KnownStoreKitAPI {
  public typealias Failure = SKTestFailures.SubscriptionStatus
  var api: FailableAPI { .subscriptionStatus }
  public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
  public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

/// `AppTransaction.shared` and `refresh()`.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI, KnownStoreKitAPI {
  public typealias Failure = SKTestFailures.AppTransaction
  var api: FailableAPI { .appTransaction }
  public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
  public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

/// The sheet for subscriptions.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI, KnownStoreKitAPI {
  public typealias Failure = SKTestFailures.ManageSubscriptions
  var api: FailableAPI { .manageSubscriptions }
  public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
  public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

/// `Transaction.beginRefundRequest()`.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI, KnownStoreKitAPI {
  public typealias Failure = SKTestFailures.RefundRequest
  var api: FailableAPI { .refundRequest }
  public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
  public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

/// The sheet for offer codes.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI, KnownStoreKitAPI {
  public typealias Failure = SKTestFailures.OfferCodeRedeem
  var api: FailableAPI { .offerCodeRedeem }
  public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
  public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}
