import DeviceApp
import Observation
import StoreKit

@main
@Observable
final class ProUnlock: DeviceApp {
  private let store = ProStore()
  private var restoring: DeviceScreen.RestoreOutcome?

  init() {}

  var screen: DeviceScreen {
    let access: DeviceScreen.Access = store.isPro.map { $0 ? .unlocked : .locked } ?? .unknown
    return DeviceScreen(
      access: access, entitled: store.isPro == true ? [ProStore.pro] : [], restore: restoring, message: store.notice)
  }

  func buy(_ productID: String, quantity: Int) async { await store.buy() }

  func restore() async {
    do { restoring = try await store.restore() ? .restored : .nothingToRestore } catch { restoring = .failed }
  }
}
