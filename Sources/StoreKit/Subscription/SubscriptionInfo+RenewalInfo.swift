package import ClientNode
public import Foundation
import Shared

extension Product.SubscriptionInfo {
  /// What comes after the current period, as its signed payload states it.
  public struct RenewalInfo: Sendable {
    let content: RenewalInfoContent
    private var payload: RenewalInfoPayload { content.payload }

    package init(_ status: SignedStatus, on daemon: any StoreDaemon) {
      content = RenewalInfoContent(status, on: daemon)
    }

    /// The payload's JSON.
    public var jsonRepresentation: Data { content.json }

    public var originalTransactionID: UInt64 { payload.originalTransactionId.rawValue }
    public var currentProductID: String { payload.productId }
    public var willAutoRenew: Bool { payload.autoRenewStatus == 1 }
    /// The product of the next renewal; nil when it will not renew.
    public var autoRenewPreference: String? { willAutoRenew ? payload.autoRenewProductId : nil }
    public var expirationReason: ExpirationReason? { payload.expirationIntent.map(ExpirationReason.init) }
    public var priceIncreaseStatus: PriceIncreaseStatus {
      switch payload.priceIncreaseStatus {
      case 0: .pending
      case 1: .agreed
      default: .noIncreasePending
      }
    }
    public var isInBillingRetry: Bool { payload.isInBillingRetryPeriod ?? false }
    public var gracePeriodExpirationDate: Date? { payload.gracePeriodExpiresDate?.date }
    public var environment: AppStore.Environment { AppStore.Environment(rawValue: payload.environment) }
    public var environmentStringRepresentation: String { payload.environment }
    public var recentSubscriptionStartDate: Date { payload.recentSubscriptionStartDate?.date ?? .distantPast }
    public var renewalDate: Date? { payload.renewalDate?.date }
    public var renewalPrice: Decimal? { payload.renewalPrice.map(Decimal.init(milliunits:)) }
    public var currency: Locale.Currency? { payload.currency.map { Locale.Currency($0) } }
    public var currencyCode: String? { payload.currency }
    /// The best one first.
    public var eligibleWinBackOfferIDs: [String] { payload.eligibleWinBackOfferIds ?? [] }
    public var appAccountToken: UUID? { payload.appAccountToken.flatMap(UUID.init(uuidString:)) }
    public var appTransactionID: String { payload.appTransactionId ?? "" }
    public var signedDate: Date { payload.signedDate.date }
    /// Binds the payload to this device; empty when it does not.
    public var deviceVerification: Data { Data(deviceVerification: payload.deviceVerification) }
    public var deviceVerificationNonce: UUID { UUID(deviceVerificationNonce: payload.deviceVerificationNonce) }

    /// Nil: worlds sell nothing through the Advanced Commerce API.
    public var advancedCommerceInfo: AdvancedCommerceInfo? { nil }

    /// The offer of the next renewal.
    public var offer: Transaction.Offer? {
      offerType.map { type in
        Transaction.Offer(
          id: offerID, type: type,
          paymentMode: offerPaymentModeStringRepresentation.map(Transaction.Offer.PaymentMode.init),
          period: offerPeriodStringRepresentation.flatMap(Product.SubscriptionPeriod.init(iso8601:)))
      }
    }

    // Apple has put `offer` in the place of these; real code still reads them.
    public var offerType: Transaction.OfferType? { payload.offerType.map(Transaction.OfferType.init) }
    public var offerID: String? { payload.offerIdentifier }
    public var offerPaymentModeStringRepresentation: String? { payload.offerDiscountType }
    public var offerPeriodStringRepresentation: String? { payload.offerPeriod }

    @frozen public enum PriceIncreaseStatus: Hashable, Sendable {
      case noIncreasePending
      case pending
      case agreed
    }

    public struct ExpirationReason: RawRepresentable, Hashable, Sendable {
      public let rawValue: Int
      public init(rawValue: Int) { self.rawValue = rawValue }
      public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
      public static let billingError = ExpirationReason(rawValue: 2)
      public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
      public static let productUnavailable = ExpirationReason(rawValue: 4)
      public static let unknown = ExpirationReason(rawValue: 5)
    }
  }
}

extension Product.SubscriptionInfo.RenewalInfo: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.payload == right.payload }
  public func hash(into hasher: inout Hasher) { hasher.combine(payload) }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
