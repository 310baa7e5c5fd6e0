public import Foundation
import Fleet
import Shared

/// A transaction of an account as it is now, whatever a device has heard of it.
public struct FleetTransaction: Hashable, Sendable {
  public let id: UInt64
  /// The first transaction of a subscription; anything else's own id.
  public let originalID: UInt64
  public let productID: String
  public let quantity: Int
  public let purchaseDate: Date
  /// Nil for what does not expire.
  public let expirationDate: Date?
  /// When the money went back, or when the family stopped sharing it; nil for not.
  public let revocationDate: Date?
  public let isRenewal: Bool
  public let isUpgraded: Bool
  public let isFamilyShared: Bool
  /// Whether an app has said that it was delivered.
  public let isFinished: Bool
  public let appAccountToken: UUID?
  /// The id of the offer that it was bought with; nil for none, and for an introductory offer.
  public let offerID: String?
  /// What was paid, in the storefront's currency.
  public let price: Decimal

  init(_ record: TransactionRecord) {
    id = record.transactionId.rawValue
    originalID = record.originalTransactionId.rawValue
    productID = record.productId
    quantity = record.quantity
    purchaseDate = record.purchaseDate.date
    expirationDate = record.expiresDate?.date
    revocationDate = record.revocation?.date.date
    isRenewal = record.transactionReason == .renewal
    isUpgraded = record.isUpgraded
    isFamilyShared = record.inAppOwnershipType == .familyShared
    isFinished = record.isFinished
    appAccountToken = record.appAccountToken
    offerID = record.offer?.identifier
    price = Decimal(record.price) / 1_000
  }
}
