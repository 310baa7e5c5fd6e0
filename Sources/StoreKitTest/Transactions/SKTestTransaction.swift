public import Foundation
import Shared
public import StoreKit
import Wire

/// A transaction as the test environment knows it: bought, or waiting for somebody.
///
/// Apple: https://developer.apple.com/documentation/storekittest/sktesttransaction
public final class SKTestTransaction: NSObject, Sendable {
  /// `Transaction.id`, for what was bought.
  public let identifier: UInt
  /// `Transaction.originalID`; for what waits, its own identifier.
  public let originalTransactionIdentifier: UInt
  public let productIdentifier: String
  public let state: SKPaymentTransactionState
  public let purchaseDate: Date
  /// When there was money back.
  public let cancelDate: Date?
  public let expirationDate: Date?
  /// Whether the subscription renews at the end of its period.
  public let autoRenewingEnabled: Bool
  /// Whether it waits for `resolveIssueForTransaction(identifier:)`.
  public let hasPurchaseIssue: Bool
  public let isPendingPriceIncreaseConsent: Bool
  public let pendingAskToBuyConfirmation: Bool

  init(_ record: TransactionRecord, _ info: RenewalInfo?) {
    let isLatest = info?.latestTransactionId == record.transactionId
    identifier = UInt(record.transactionId.rawValue)
    originalTransactionIdentifier = UInt(record.originalTransactionId.rawValue)
    productIdentifier = record.productId
    state = .purchased
    purchaseDate = record.purchaseDate.date
    cancelDate = record.revocation?.date.date
    expirationDate = record.expiresDate?.date
    autoRenewingEnabled = info?.willAutoRenew ?? false
    hasPurchaseIssue = isLatest && info?.isInBillingRetry == true
    isPendingPriceIncreaseConsent = isLatest && info?.priceIncreaseStatus == 0
    pendingAskToBuyConfirmation = false
  }

  init(_ entry: ListPendingPurchases.Entry, number: UInt, isDeclined: Bool) {
    identifier = number
    originalTransactionIdentifier = number
    productIdentifier = entry.productId
    state = isDeclined || entry.reason == .issue ? .failed : .deferred
    purchaseDate = entry.askedAt.date
    cancelDate = nil
    expirationDate = nil
    autoRenewingEnabled = false
    hasPurchaseIssue = !isDeclined && entry.reason == .issue
    isPendingPriceIncreaseConsent = false
    pendingAskToBuyConfirmation = !isDeclined && entry.reason == .askToBuy
  }

  public override var description: String { "\(productIdentifier) \(identifier): \(state), \(purchaseDate)" }
}
