import DeviceApp
import StoreKit

@main
final class StudyApp: DeviceApp {
  private let store = StoreManager()

  var screen: DeviceScreen {
    guard let owned = store.owned else { return DeviceScreen() }
    return DeviceScreen(
      access: owned.isEmpty ? .locked : .unlocked, entitled: owned.sorted(),
      message: store.showsOnboarding ? "welcome" : nil)
  }

  func buy(_ productID: String, quantity: Int) async { try? await store.buy(productID) }
}
