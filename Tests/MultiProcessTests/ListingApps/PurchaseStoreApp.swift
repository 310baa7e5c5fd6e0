import DeviceApp
import StoreKit

/// The store of one thing to buy.
@main
final class PurchaseStoreApp: DeviceApp {
  private let store = PurchaseStore()

  init() {}

  var screen: DeviceScreen {
    DeviceScreen(
      access: store.isProUnlocked ? .unlocked : .locked,
      entitled: store.isProUnlocked ? [PurchaseStore.proProductID] : [],
      message: "\(store.product?.id ?? "no product"), \(store.lastErrorMessage == nil ? "no error" : "an error")")
  }

  func buy(_ productID: String, quantity: Int) async {
    if store.product == nil { await store.loadProduct() }
    await store.buyPro()
  }

  func restore() async { await store.restore() }
}
