import DeviceApp
import StoreKit

/// Shows the button that manages the subscription to everybody who has one, whoever pays for it.
final class ManageForAll: DeviceApp {
  private let entitlements = Entitlements()

  init() {}

  var screen: DeviceScreen {
    let isPremium = !entitlements.transactions.isEmpty
    return DeviceScreen(
      access: isPremium ? .unlocked : .locked, entitled: entitlements.ids,
      message: isPremium ? "manage subscription" : "subscribe")
  }

  func buy(_ productID: String, quantity: Int) async { await entitlements.buy(productID) }
}
