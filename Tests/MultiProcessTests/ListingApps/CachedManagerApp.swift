import DeviceApp
import StoreKit

/// The manager that remembers what it read last.
@main
final class CachedManagerApp: DeviceApp {
  private let manager = PurchaseManager()
  private let opened: Set<String>

  init() { opened = manager.purchasedProductIDs }

  var screen: DeviceScreen {
    DeviceScreen(
      access: manager.isInitialFetchComplete ? manager.purchasedProductIDs.isEmpty ? .locked : .unlocked : .unknown,
      entitled: manager.purchasedProductIDs.sorted(), message: "opened with \(opened.count)")
  }
}
