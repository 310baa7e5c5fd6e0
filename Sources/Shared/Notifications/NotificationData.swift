/// What a notification says about one customer (Apple: data). A test says nothing.
package struct NotificationData: Hashable, Sendable {
  package var bundleVersion: String?
  package var signedTransactionInfo: String?
  /// Of a subscription.
  package var signedRenewalInfo: String?
  /// Of a subscription: see `SubscriptionStatus`.
  package var status: Int?
  package var consumptionRequestReason: String?

  package init() {}
}
