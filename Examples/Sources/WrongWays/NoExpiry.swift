import DeviceApp
import StoreKit

/// Believes what it read last until it is told otherwise: offline, for ever.
final class NoExpiry: DeviceApp {
  private let entitlements = Entitlements()

  init() {}

  var screen: DeviceScreen {
    guard entitlements.wasRead else { return DeviceScreen() }
    return DeviceScreen(
      access: entitlements.transactions.isEmpty ? .locked : .unlocked, entitled: entitlements.ids)
  }

  func buy(_ productID: String, quantity: Int) async { await entitlements.buy(productID) }
}
