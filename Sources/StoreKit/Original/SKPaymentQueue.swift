/// What code for StoreKit 2 still asks the original payment queue. It has no payments and no observers: those names are
/// missing on purpose, as an observer would wait for ever.
public final class SKPaymentQueue: Sendable {
  private static let shared = SKPaymentQueue()

  private init() {}

  public static func `default`() -> SKPaymentQueue { shared }

  public static func canMakePayments() -> Bool { AppStore.canMakePayments }

  /// See `AppStore.presentOfferCodeRedeemSheet()`.
  @MainActor public func presentCodeRedemptionSheet() {
    Task { try? await AppStore.presentOfferCodeRedeemSheet() }
  }
}

/// See `AppStore.requestReview()`.
public enum SKStoreReviewController {
  @MainActor public static func requestReview() { AppStore.requestReview() }
  @MainActor public static func requestReview<Scene>(in scene: Scene) { AppStore.requestReview() }
}
