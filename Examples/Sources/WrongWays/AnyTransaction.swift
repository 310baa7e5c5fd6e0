import DeviceApp
import StoreKit

/// Takes whatever the customer has for the subscription.
final class AnyTransaction: DeviceApp {
  private let entitlements = Entitlements()

  init() {}

  var screen: DeviceScreen {
    let isSubscribed = !entitlements.transactions.isEmpty
    return DeviceScreen(
      access: isSubscribed ? .unlocked : .locked, entitled: entitlements.ids,
      message: isSubscribed ? "premium" : "free")
  }

  func buy(_ productID: String, quantity: Int) async { await entitlements.buy(productID) }
}
