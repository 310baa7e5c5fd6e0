import DeviceApp
import StoreKit

/// Its listener belongs to a view, and ends when another one covers it.
final class ViewListener: DeviceApp {
  private let purse = Purse()
  private var task: Task<Void, Never>?

  init() { startListening() }

  private func startListening() {
    task = Task {
      for await result in Transaction.updates {
        purse.add(result)
        await result.unsafePayloadValue.finish()
      }
    }
  }

  var screen: DeviceScreen { DeviceScreen(access: .locked, message: "\(purse.coins) coins") }

  /// The shop covers the first view.
  func buy(_ productID: String, quantity: Int) async {
    task?.cancel()
    guard let product = try? await Product.products(for: [productID]).first,
      case .success(let result) = try? await product.purchase()
    else { return }
    purse.add(result)
    await result.unsafePayloadValue.finish()
  }
}
