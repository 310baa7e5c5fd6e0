package import ClientNode
public import Foundation
import Shared

/// A purchase, renewal or grant, as its signed payload states it.
///
/// Apple: https://developer.apple.com/documentation/storekit/transaction
public struct Transaction: Identifiable, Sendable {
  let content: TransactionContent
  private var payload: TransactionPayload { content.payload }

  package init(_ signed: SignedTransaction, on daemon: any StoreDaemon) {
    content = TransactionContent(signed, on: daemon)
  }

  /// The payload's JSON.
  public var jsonRepresentation: Data { content.json }

  public var id: UInt64 { payload.transactionId.rawValue }
  /// The first transaction of a subscription; of everything else, the transaction itself.
  public var originalID: UInt64 { payload.originalTransactionId.rawValue }
  public var webOrderLineItemID: String? { payload.webOrderLineItemId }
  public var productID: String { payload.productId }
  public var subscriptionGroupID: String? { payload.subscriptionGroupIdentifier }
  /// Empty for an old transaction that does not say it.
  public var appBundleID: String { payload.bundleId ?? "" }
  public var purchaseDate: Date { payload.purchaseDate.date }
  public var originalPurchaseDate: Date { payload.originalPurchaseDate.date }
  public var expirationDate: Date? { payload.expiresDate?.date }
  public var purchasedQuantity: Int { payload.quantity }
  /// Whether a higher plan has replaced this one.
  public var isUpgraded: Bool { payload.isUpgraded ?? false }
  public var revocationDate: Date? { payload.revocationDate?.date }
  public var revocationReason: RevocationReason? { payload.revocationReason.map(RevocationReason.init) }
  public var revocationType: RevocationType? { payload.revocationType.map(RevocationType.init) }
  public var revocationTypeStringRepresentation: String? { payload.revocationType }
  /// How much of the price was given back, in percent.
  public var revocationPercentage: Decimal? { payload.revocationPercentage.map(Decimal.init(milliunits:)) }
  public var productType: Product.ProductType { Product.ProductType(rawValue: payload.type) }
  public var appAccountToken: UUID? { payload.appAccountToken.flatMap(UUID.init(uuidString:)) }
  public var environment: AppStore.Environment { AppStore.Environment(rawValue: payload.environment) }
  public var environmentStringRepresentation: String { payload.environment }
  public var reason: Reason { Reason(rawValue: reasonStringRepresentation) }
  public var reasonStringRepresentation: String { payload.transactionReason?.rawValue ?? Reason.purchase.rawValue }
  public var storefront: Storefront { Storefront(countryCode: storefrontCountryCode, id: payload.storefrontId) }
  /// ISO 3166-1 alpha-3.
  public var storefrontCountryCode: String { payload.storefront ?? "" }
  public var price: Decimal? { payload.price.map(Decimal.init(milliunits:)) }
  public var currency: Locale.Currency? { payload.currency.map { Locale.Currency($0) } }
  public var currencyCode: String? { payload.currency }
  public var appTransactionID: String { payload.appTransactionId ?? "" }
  public var ownershipType: OwnershipType { OwnershipType(rawValue: payload.inAppOwnershipType.rawValue) }
  public var signedDate: Date { payload.signedDate.date }
  /// Binds the payload to this device; empty when it does not.
  public var deviceVerification: Data { Data(deviceVerification: payload.deviceVerification) }
  public var deviceVerificationNonce: UUID { UUID(deviceVerificationNonce: payload.deviceVerificationNonce) }

  /// Tells the store that what was bought has been delivered. Returns once the mark would survive the app's end.
  ///
  /// It acts on the device's own record, whatever an unverified payload says its id is.
  public func finish() async { await content.daemon.finish(content.recordId) }

  /// The status of the subscription that this transaction belongs to.
  public var subscriptionStatus: Product.SubscriptionInfo.Status? {
    get async {
      guard let group = subscriptionGroupID, let statuses = try? await content.daemon.statuses(group: group) else {
        return nil
      }
      return statuses.first { $0.transaction.record.originalTransactionId == payload.originalTransactionId }
        .map { Product.SubscriptionInfo.Status($0, on: content.daemon) }
    }
  }
}

extension Transaction: Hashable {
  public static func == (left: Transaction, right: Transaction) -> Bool { left.payload == right.payload }
  public func hash(into hasher: inout Hasher) { hasher.combine(payload) }
}

extension Transaction: CustomDebugStringConvertible {
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
