package import Foundation

/// What the store knows of a subscription lineage beyond its transactions. Field meanings: Apple,
/// JWSRenewalInfoDecodedPayload.
package struct RenewalInfo: Hashable, Sendable, Codable {
  package var originalTransactionId: TransactionID
  /// Counts the changes of this value from 1.
  package var recordRevision: UInt64 = 1
  package var subscriptionGroupIdentifier: String
  /// The latest transaction of the lineage.
  package var latestTransactionId: TransactionID
  /// The product of the current period.
  package var productId: String
  /// The product of the next period.
  package var autoRenewProductId: String
  package var willAutoRenew: Bool
  package var status: SubscriptionStatus
  /// Apple: expirationIntent. 1 cancelled, 2 billing error, 3 no consent, 4 product unavailable, 5 other.
  package var expirationIntent: Int?
  package var gracePeriodExpiresDate: StoreTime?
  /// Apple: priceIncreaseStatus. 0 no answer yet, 1 agreed.
  package var priceIncreaseStatus: Int?
  /// When the next renewal is due; for one that ended, when it ended.
  package var renewalDate: StoreTime
  /// Milliunits.
  package var renewalPrice: Int64
  package var currency: String
  package var recentSubscriptionStartDate: StoreTime
  /// The offer of the next period.
  package var nextOffer: AppliedOffer?
  package var eligibleWinBackOfferIds: [String] = []
  package var appAccountToken: UUID?
  package var appTransactionId: String
  package var inAppOwnershipType: OwnershipType = .purchased

  package var isInBillingRetry: Bool { status == .inGracePeriod || status == .inBillingRetryPeriod }

  package init(
    originalTransactionId: TransactionID, subscriptionGroupIdentifier: String, latestTransactionId: TransactionID,
    productId: String, willAutoRenew: Bool, status: SubscriptionStatus, renewalDate: StoreTime, renewalPrice: Int64,
    currency: String, recentSubscriptionStartDate: StoreTime, appTransactionId: String
  ) {
    self.originalTransactionId = originalTransactionId
    self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
    self.latestTransactionId = latestTransactionId
    self.productId = productId
    self.autoRenewProductId = productId
    self.willAutoRenew = willAutoRenew
    self.status = status
    self.renewalDate = renewalDate
    self.renewalPrice = renewalPrice
    self.currency = currency
    self.recentSubscriptionStartDate = recentSubscriptionStartDate
    self.appTransactionId = appTransactionId
  }
}

/// Apple: the `status` of the App Store Server API and `Product.SubscriptionInfo.RenewalState`.
package struct SubscriptionStatus: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
  package static let subscribed = SubscriptionStatus(rawValue: 1)
  package static let expired = SubscriptionStatus(rawValue: 2)
  package static let inBillingRetryPeriod = SubscriptionStatus(rawValue: 3)
  package static let inGracePeriod = SubscriptionStatus(rawValue: 4)
  package static let revoked = SubscriptionStatus(rawValue: 5)
}
