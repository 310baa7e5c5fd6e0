import DeviceApp
import StoreKit

/// Restores, and says nothing of it, whatever came of it.
final class SilentRestore: DeviceApp {
  private let entitlements = Entitlements()

  init() {}

  var screen: DeviceScreen {
    DeviceScreen(access: entitlements.transactions.isEmpty ? .locked : .unlocked, entitled: entitlements.ids)
  }

  func buy(_ productID: String, quantity: Int) async { await entitlements.buy(productID) }

  func restore() async {
    try? await AppStore.sync()
    await entitlements.read()
  }
}
