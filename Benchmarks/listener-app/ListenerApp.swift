import DeviceApp

/// The smallest app that sells something: what a process and a device cost is measured with it.
@main final class ListenerApp: DeviceApp {
  private let purchases = PurchaseManager()

  var screen: DeviceScreen {
    let owned = purchases.owned.sorted()
    return DeviceScreen(access: !purchases.isLoaded ? .unknown : owned.isEmpty ? .locked : .unlocked, entitled: owned)
  }

  func buy(_ productID: String, quantity: Int) async { await purchases.buy(productID) }
}
