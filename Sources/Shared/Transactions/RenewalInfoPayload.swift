package import Foundation

/// What the store signs about the next renewal of a subscription. Keys and types: Apple, JWSRenewalInfoDecodedPayload.
package struct RenewalInfoPayload: Hashable, Sendable, Codable {
  package var originalTransactionId: TransactionID
  package var productId: String
  package var autoRenewProductId: String?
  /// 0 off, 1 on.
  package var autoRenewStatus: Int
  /// Only once it has expired or a renewal has failed.
  package var expirationIntent: Int?
  package var isInBillingRetryPeriod: Bool?
  package var gracePeriodExpiresDate: StoreTime?
  package var priceIncreaseStatus: Int?
  // The offer of the next renewal.
  package var offerType: Int?
  package var offerIdentifier: String?
  package var offerDiscountType: String?
  package var offerPeriod: String?
  /// Milliunits of `currency`.
  package var renewalPrice: Int64?
  package var currency: String?
  package var renewalDate: StoreTime?
  package var recentSubscriptionStartDate: StoreTime?
  package var eligibleWinBackOfferIds: [String]?
  /// A lower-case UUID.
  package var appAccountToken: String?
  package var appTransactionId: String?
  package var environment: String
  package var signedDate: StoreTime
  package var deviceVerification: String?
  package var deviceVerificationNonce: String?

  package init(_ info: RenewalInfo, identity: StoreIdentity, signedDate: StoreTime, device: DeviceVerification? = nil) {
    originalTransactionId = info.originalTransactionId
    productId = info.productId
    autoRenewProductId = info.autoRenewProductId
    autoRenewStatus = info.willAutoRenew ? 1 : 0
    expirationIntent = info.expirationIntent
    isInBillingRetryPeriod = info.isInBillingRetry
    gracePeriodExpiresDate = info.gracePeriodExpiresDate
    priceIncreaseStatus = info.priceIncreaseStatus
    offerType = info.nextOffer?.type
    offerIdentifier = info.nextOffer?.identifier
    offerDiscountType = info.nextOffer?.discountType
    offerPeriod = info.nextOffer?.period
    renewalPrice = info.renewalPrice
    currency = info.currency
    renewalDate = info.renewalDate
    recentSubscriptionStartDate = info.recentSubscriptionStartDate
    eligibleWinBackOfferIds = info.eligibleWinBackOfferIds.isEmpty ? nil : info.eligibleWinBackOfferIds
    appAccountToken = info.appAccountToken?.uuidString.lowercased()
    appTransactionId = info.appTransactionId
    environment = identity.environment
    self.signedDate = signedDate
    deviceVerification = device?.digest.base64EncodedString()
    deviceVerificationNonce = device?.nonce.uuidString.lowercased()
  }

  /// The JSON that is signed; what `JSONEncoder` writes, in another order of the keys and much faster.
  package func json() -> Data {
    var json = JSONObjectWriter(capacity: 1_024)
    json.timesHaveFractions = environment == StoreIdentity.xcode
    json.put("originalTransactionId", originalTransactionId)
    json.put("productId", productId)
    json.put("autoRenewProductId", autoRenewProductId)
    json.put("autoRenewStatus", autoRenewStatus)
    json.put("expirationIntent", expirationIntent)
    json.put("isInBillingRetryPeriod", isInBillingRetryPeriod)
    json.put("gracePeriodExpiresDate", gracePeriodExpiresDate)
    json.put("priceIncreaseStatus", priceIncreaseStatus)
    json.put("offerType", offerType)
    json.put("offerIdentifier", offerIdentifier)
    json.put("offerDiscountType", offerDiscountType)
    json.put("offerPeriod", offerPeriod)
    json.put("renewalPrice", renewalPrice)
    json.put("currency", currency)
    json.put("renewalDate", renewalDate)
    json.put("recentSubscriptionStartDate", recentSubscriptionStartDate)
    json.put("eligibleWinBackOfferIds", eligibleWinBackOfferIds ?? [])
    json.put("appAccountToken", appAccountToken)
    json.put("appTransactionId", appTransactionId)
    json.put("environment", environment)
    json.put("signedDate", signedDate)
    json.put("deviceVerification", deviceVerification)
    json.put("deviceVerificationNonce", deviceVerificationNonce)
    return json.finish()
  }
}
