package import Wire

/// What the App Store has for an app besides transactions.
package enum AppNotice: Hashable, Sendable {
  case message(SendMessage.Reason)
  case purchaseIntent(SendPurchaseIntent)
}
