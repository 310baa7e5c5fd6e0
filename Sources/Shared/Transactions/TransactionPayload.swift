package import Foundation

/// What the store signs about a transaction. Keys and types: Apple, JWSTransactionDecodedPayload.
///
/// Words that the store may add to later are kept raw, so that an unknown one comes through to the app.
package struct TransactionPayload: Hashable, Sendable, Codable {
  package var transactionId: TransactionID
  package var originalTransactionId: TransactionID
  package var webOrderLineItemId: String?
  /// Absent in old transactions alone.
  package var bundleId: String?
  package var productId: String
  package var subscriptionGroupIdentifier: String?
  package var purchaseDate: StoreTime
  package var originalPurchaseDate: StoreTime
  package var expiresDate: StoreTime?
  package var quantity: Int
  /// See `ProductType`.
  package var type: String
  /// A lower-case UUID.
  package var appAccountToken: String?
  package var inAppOwnershipType: OwnershipType
  package var revocationDate: StoreTime?
  package var revocationReason: Int?
  package var revocationType: String?
  /// Milliunits of a percent.
  package var revocationPercentage: Int64?
  /// True or absent; in the environment `Xcode` always there.
  package var isUpgraded: Bool?
  package var offerType: Int?
  package var offerIdentifier: String?
  package var offerDiscountType: String?
  package var offerPeriod: String?
  package var environment: String
  package var storefront: String?
  package var storefrontId: String?
  package var transactionReason: TransactionReason?
  /// Milliunits of `currency`.
  package var price: Int64?
  package var currency: String?
  package var appTransactionId: String?
  package var signedDate: StoreTime
  package var deviceVerification: String?
  package var deviceVerificationNonce: String?

  package init(
    _ record: TransactionRecord, identity: StoreIdentity, signedDate: StoreTime, device: DeviceVerification? = nil
  ) {
    transactionId = record.transactionId
    originalTransactionId = record.originalTransactionId
    webOrderLineItemId = record.webOrderLineItemId
    bundleId = identity.bundleId
    productId = record.productId
    subscriptionGroupIdentifier = record.subscriptionGroupIdentifier
    purchaseDate = record.purchaseDate
    originalPurchaseDate = record.originalPurchaseDate
    expiresDate = record.expiresDate
    quantity = record.quantity
    type = record.type.rawValue
    appAccountToken = record.appAccountToken?.uuidString.lowercased()
    inAppOwnershipType = record.inAppOwnershipType
    revocationDate = record.revocation?.date
    revocationReason = record.revocation?.reason
    revocationType = record.revocation?.type
    revocationPercentage = record.revocation?.percentage
    isUpgraded = record.isUpgraded ? true : identity.environment == StoreIdentity.xcode ? false : nil
    offerType = record.offer?.type
    offerIdentifier = record.offer?.identifier
    offerDiscountType = record.offer?.discountType
    offerPeriod = record.offer?.period
    environment = identity.environment
    storefront = record.storefront
    storefrontId = StorefrontID.of(record.storefront)
    transactionReason = record.transactionReason
    price = record.price
    currency = record.currency
    appTransactionId = record.appTransactionId
    self.signedDate = signedDate
    deviceVerification = device?.digest.base64EncodedString()
    deviceVerificationNonce = device?.nonce.uuidString.lowercased()
  }

  /// As transactions of long ago are: with nothing that is optional.
  package mutating func leaveOutOptional() {
    (bundleId, webOrderLineItemId, appAccountToken) = (nil, nil, nil)
    (offerType, offerIdentifier, offerDiscountType, offerPeriod) = (nil, nil, nil, nil)
    (storefront, storefrontId, price, currency) = (nil, nil, nil, nil)
  }

  /// The JSON that is signed; what `JSONEncoder` writes, in another order of the keys and much faster.
  package func json() -> Data {
    var json = JSONObjectWriter(capacity: 1_024)
    json.timesHaveFractions = environment == StoreIdentity.xcode
    json.put("transactionId", transactionId)
    json.put("originalTransactionId", originalTransactionId)
    json.put("webOrderLineItemId", webOrderLineItemId)
    json.put("bundleId", bundleId)
    json.put("productId", productId)
    json.put("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
    json.put("purchaseDate", purchaseDate)
    json.put("originalPurchaseDate", originalPurchaseDate)
    json.put("expiresDate", expiresDate)
    json.put("quantity", quantity)
    json.put("type", type)
    json.put("appAccountToken", appAccountToken)
    json.put("inAppOwnershipType", inAppOwnershipType.rawValue)
    json.put("revocationDate", revocationDate)
    json.put("revocationReason", revocationReason)
    json.put("revocationType", revocationType)
    json.put("revocationPercentage", revocationPercentage)
    json.put("isUpgraded", isUpgraded)
    json.put("offerType", offerType)
    json.put("offerIdentifier", offerIdentifier)
    json.put("offerDiscountType", offerDiscountType)
    json.put("offerPeriod", offerPeriod)
    json.put("environment", environment)
    json.put("storefront", storefront)
    json.put("storefrontId", storefrontId)
    json.put("transactionReason", transactionReason?.rawValue)
    json.put("price", price)
    json.put("currency", currency)
    json.put("appTransactionId", appTransactionId)
    json.put("signedDate", signedDate)
    json.put("deviceVerification", deviceVerification)
    json.put("deviceVerificationNonce", deviceVerificationNonce)
    return json.finish()
  }
}
