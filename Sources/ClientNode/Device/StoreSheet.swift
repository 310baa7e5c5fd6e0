/// A sheet of the system's that an app brings up.
package enum StoreSheet: Hashable, Sendable {
  /// Of one subscription group, or of all.
  case manageSubscriptions(group: String?)
  case redeemOfferCode
  case review
}
