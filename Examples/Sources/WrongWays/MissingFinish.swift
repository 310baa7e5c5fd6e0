import DeviceApp
import StoreKit

/// Grants what was bought and never says that it has.
final class MissingFinish: DeviceApp {
  private let purse = Purse()

  init() {
    Task {
      for await result in Transaction.updates { purse.add(result) }
    }
  }

  var screen: DeviceScreen { DeviceScreen(access: .locked, message: "\(purse.coins) coins") }

  func buy(_ productID: String, quantity: Int) async {
    guard let product = try? await Product.products(for: [productID]).first,
      case .success(let result) = try? await product.purchase()
    else { return }
    purse.add(result)
  }
}
