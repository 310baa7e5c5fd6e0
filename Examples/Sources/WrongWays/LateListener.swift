import DeviceApp
import StoreKit

/// Begins to listen when its first view is there. What waited for the launch has been announced by then, to nobody.
final class LateListener: DeviceApp {
  private let purse = Purse()

  init() {}

  func appear() {
    Task {
      for await result in Transaction.updates {
        purse.add(result)
        await result.unsafePayloadValue.finish()
      }
    }
  }

  var screen: DeviceScreen { DeviceScreen(access: .locked, message: "\(purse.coins) coins") }
}
