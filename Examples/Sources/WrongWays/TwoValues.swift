import DeviceApp
import StoreKit

/// Knows premium and free, and so says free until it has heard otherwise.
final class TwoValues: DeviceApp {
  private let entitlements = Entitlements()
  private let opened: Bool

  private var isPremium: Bool { !entitlements.transactions.isEmpty }

  init() { opened = !entitlements.transactions.isEmpty }

  var screen: DeviceScreen {
    DeviceScreen(
      access: isPremium ? .unlocked : .locked, entitled: entitlements.ids,
      message: opened ? "opened unlocked" : "opened with a verdict")
  }

  func buy(_ productID: String, quantity: Int) async { await entitlements.buy(productID) }
}
