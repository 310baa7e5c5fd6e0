package import Foundation

/// A transaction with its current state, as the store keeps it and as account events carry it, unsigned.
///
/// A refund, an upgrade or a token that is set later changes the record and raises `recordRevision`; the id stays.
/// Field meanings: Apple, JWSTransactionDecodedPayload.
package struct TransactionRecord: Hashable, Sendable, Codable {
  package var transactionId: TransactionID
  /// Names the lineage: the first transaction of a subscription, the transaction itself for everything else.
  package var originalTransactionId: TransactionID
  /// Counts the changes of this record from 1. Signed bytes belong to one revision.
  package var recordRevision: UInt64 = 1
  package var productId: String
  package var type: ProductType
  package var subscriptionGroupIdentifier: String?
  package var webOrderLineItemId: String?
  package var purchaseDate: StoreTime
  package var originalPurchaseDate: StoreTime
  /// Auto-renewable subscriptions only; never changes for a given transaction.
  package var expiresDate: StoreTime?
  package var quantity: Int = 1
  package var appAccountToken: UUID?
  package var inAppOwnershipType: OwnershipType = .purchased
  package var transactionReason: TransactionReason = .purchase
  package var offer: AppliedOffer?
  /// Milliunits of `currency`, discounts included, multiplied by `quantity`.
  package var price: Int64
  package var currency: String
  /// ISO 3166-1 alpha-3.
  package var storefront: String
  package var revocation: Revocation?
  package var isUpgraded: Bool = false
  package var appTransactionId: String
  /// Whether the account has finished it: a mark of the store, not part of the signed payload.
  package var isFinished: Bool = false

  package init(
    transactionId: TransactionID, originalTransactionId: TransactionID, productId: String, type: ProductType,
    purchaseDate: StoreTime, originalPurchaseDate: StoreTime, price: Int64, currency: String, storefront: String,
    appTransactionId: String
  ) {
    self.transactionId = transactionId
    self.originalTransactionId = originalTransactionId
    self.productId = productId
    self.type = type
    self.purchaseDate = purchaseDate
    self.originalPurchaseDate = originalPurchaseDate
    self.price = price
    self.currency = currency
    self.storefront = storefront
    self.appTransactionId = appTransactionId
  }
}

/// Apple: inAppOwnershipType.
package struct OwnershipType: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package static let purchased = OwnershipType(rawValue: "PURCHASED")
  package static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
}

/// Apple: transactionReason.
package struct TransactionReason: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package static let purchase = TransactionReason(rawValue: "PURCHASE")
  package static let renewal = TransactionReason(rawValue: "RENEWAL")
}

/// The offer that a transaction was bought with.
package struct AppliedOffer: Hashable, Sendable, Codable {
  /// Apple: offerType. 1 introductory, 2 promotional, 3 code, 4 win-back.
  package var type: Int
  /// Absent for an introductory offer.
  package var identifier: String?
  /// Apple: offerDiscountType. FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT.
  package var discountType: String
  /// ISO 8601, the whole offer (period × count).
  package var period: String

  package static let introductory = 1
  package static let promotional = 2
  package static let code = 3
  package static let winBack = 4

  package init(type: Int, identifier: String? = nil, discountType: String, period: String) {
    self.type = type
    self.identifier = identifier
    self.discountType = discountType
    self.period = period
  }
}

/// Why and when a transaction stopped counting.
package struct Revocation: Hashable, Sendable, Codable {
  package var date: StoreTime
  /// Apple: revocationReason. 1 an issue of the app, 0 anything else.
  package var reason: Int
  /// Apple: revocationType. REFUND_FULL, REFUND_PRORATED, FAMILY_REVOKE.
  package var type: String
  /// Milliunits of a percent: 100000 is 100 %. Nil for a family revocation.
  package var percentage: Int64?

  /// A full refund.
  package static let wholePercentage: Int64 = 100_000
  package static let appIssue = 1
  package static let other = 0

  package init(date: StoreTime, reason: Int, type: String, percentage: Int64? = nil) {
    self.date = date
    self.reason = reason
    self.type = type
    self.percentage = percentage
  }
}
