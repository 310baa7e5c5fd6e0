import DeviceApp
import StoreKit

/// Shows the onboarding for "the first month", which it takes for the time until the first renewal.
final class CountedMonths: DeviceApp {
  private let entitlements = Entitlements()

  init() {}

  var screen: DeviceScreen {
    let subscription = entitlements.transactions.first { $0.productType == .autoRenewable }
    let isNew = subscription.map { $0.id == $0.originalID } ?? false
    return DeviceScreen(
      access: subscription == nil ? .locked : .unlocked, entitled: entitlements.ids, message: isNew ? "welcome" : nil)
  }

  func buy(_ productID: String, quantity: Int) async { await entitlements.buy(productID) }
}
