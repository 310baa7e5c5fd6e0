import DeviceApp
import Observation
import StoreKit

/// Has a third value, and leaves it with the first answer, though the store may not have loaded yet: an empty one says
/// nothing then.
@Observable
final class EmptyMeansFree: DeviceApp {
  private var owned: [String]?

  init() {
    Task {
      for await result in Transaction.updates {
        await read()
        await result.unsafePayloadValue.finish()
      }
    }
    Task { await read() }
  }

  private func read() async {
    var found: [String] = []
    for await case .verified(let transaction) in Transaction.currentEntitlements { found.append(transaction.productID) }
    owned = found
  }

  var screen: DeviceScreen {
    guard let owned else { return DeviceScreen() }
    return DeviceScreen(access: owned.isEmpty ? .locked : .unlocked, entitled: owned)
  }
}
