import ClientNode

// At Apple these take a scene. There is no screen here: each asks the device, whose log has it, and returns at once, as
// if the customer had put the sheet away. The forms with a scene take whatever stands for one in the code.
extension AppStore {
  /// The customer's subscriptions. What they would do there, tests do with the store's own verbs.
  /// - Throws: `StoreKitError`.
  @MainActor public static func showManageSubscriptions() async throws {
    try await show(.manageSubscriptions(group: nil))
  }

  @MainActor public static func showManageSubscriptions(subscriptionGroupID: String) async throws {
    try await show(.manageSubscriptions(group: subscriptionGroupID))
  }

  @MainActor public static func showManageSubscriptions<Scene>(in scene: Scene) async throws {
    try await showManageSubscriptions()
  }

  @MainActor public static func showManageSubscriptions<Scene>(
    in scene: Scene, subscriptionGroupID: String
  ) async throws {
    try await showManageSubscriptions(subscriptionGroupID: subscriptionGroupID)
  }

  /// Where a customer types an offer code; nobody does. A code that the store redeems comes through
  /// `Transaction.updates`.
  @MainActor public static func presentOfferCodeRedeemSheet() async throws { try await show(.redeemOfferCode) }

  @MainActor public static func presentOfferCodeRedeemSheet<Scene>(in scene: Scene) async throws {
    try await presentOfferCodeRedeemSheet()
  }

  /// Apple shows the question seldom, and does not say whether it did.
  @MainActor public static func requestReview() {
    guard let daemon = CurrentDevice.orNothing() else { return }
    Task { try? await daemon.show(.review) }
  }

  @MainActor public static func requestReview<Scene>(in scene: Scene) { requestReview() }

  private static func show(_ sheet: StoreSheet) async throws {
    let daemon = try CurrentDevice.orThrow()
    do {
      try await daemon.show(sheet)
    } catch {
      throw StoreKitError(error)
    }
  }
}
