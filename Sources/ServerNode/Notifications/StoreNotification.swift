package import Shared
package import Wire

/// Something that the developer's server is told, with the data of that moment.
package struct StoreNotification: Hashable, Sendable, Codable {
  package var type: NotificationType
  package var subtype: NotificationSubtype?
  package var transaction: TransactionRecord?
  /// Of a subscription.
  package var renewalInfo: RenewalInfo?
  package var consumptionRequestReason: ConsumptionRequestReason?
  package var summary: ExtensionSummary?

  package init(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil, transaction: TransactionRecord? = nil,
    renewalInfo: RenewalInfo? = nil, consumptionRequestReason: ConsumptionRequestReason? = nil
  ) {
    self.type = type
    self.subtype = subtype
    self.transaction = transaction
    self.renewalInfo = renewalInfo
    self.consumptionRequestReason = consumptionRequestReason
  }

  /// The extension of all subscriptions of a product is done (Apple: RENEWAL_EXTENSION, SUMMARY).
  package static func extended(_ summary: ExtensionSummary) -> StoreNotification {
    var notification = StoreNotification(.renewalExtension, .summary)
    notification.summary = summary
    return notification
  }

  /// It failed for one of them (Apple: RENEWAL_EXTENSION, FAILURE).
  package static func extensionFailed(
    of transaction: TransactionRecord, _ renewalInfo: RenewalInfo
  ) -> StoreNotification {
    StoreNotification(.renewalExtension, .failure, transaction: transaction, renewalInfo: renewalInfo)
  }

  /// The ordinal of the account that it is about; 0 for nobody.
  package var customer: UInt64 { transaction.flatMap { StoreNumbers.ordinal(of: $0.transactionId) } ?? 0 }
}
