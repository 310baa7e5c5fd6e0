import Wire

/// What the App Store app of the phone does.
extension FleetDevice {
  /// Why the App Store has a message for the app's user (Apple: `Message.Reason`).
  public enum MessageReason: String, Hashable, Sendable, CaseIterable {
    case generic, priceIncreaseConsent, billingIssue, winBackOffer
  }

  /// A message of the App Store. It waits for the app, and in the app for the first reader of `Message.messages`.
  public func sendMessage(_ reason: MessageReason) async throws {
    let word: SendMessage.Reason =
      switch reason {
      case .generic: .generic
      case .priceIncreaseConsent: .priceIncreaseConsent
      case .billingIssue: .billingIssue
      case .winBackOffer: .winBackOffer
      }
    _ = try await tell(SendMessage(reason: word))
  }

  /// A tap on a promoted product in the App Store. It waits for the app, and in the app for the first reader of
  /// `PurchaseIntent.intents`.
  ///
  /// - Parameter winBackOffer: the id of a win-back offer of the product that was tapped.
  public func tapPromotedProduct(_ productID: String, winBackOffer: String? = nil) async throws {
    _ = try await tell(SendPurchaseIntent(productId: productID, offerId: winBackOffer))
  }
}
