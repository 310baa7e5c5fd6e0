import DeviceApp
import Observation
import StoreKit

/// The manager of a first listing, and the one with phases: the shop's buttons buy with either.
@main
@Observable
final class PurchaseManagerApp: DeviceApp {
  private let manager = PurchaseManager()
  private let phased = PhasedPurchaser()
  private var status = ""

  init() {}

  var screen: DeviceScreen {
    var screen = DeviceScreen(
      access: manager.isSubscribed ? .unlocked : .locked,
      message: "\(manager.products.count) products, status \(status), error \(manager.purchaseError ?? "none")")
    switch phased.phase {
    case .idle: screen.phase = .idle
    case .purchasing: screen.phase = .purchasing
    case .awaitingApproval: screen.phase = .awaitingApproval
    case .completed: screen.phase = .completed
    case .failed: screen.phase = .failed
    }
    screen.entitled = phased.purchased.sorted()
    return screen
  }

  func buy(_ productID: String, quantity: Int) async {
    // Not a product: a button that reads the status.
    if productID == "status" {
      await manager.loadProducts()
      status = "\(await manager.fetchSubscriptionStatus())"
      return
    }
    let isPhased = productID.hasPrefix("phased ")
    let id = isPhased ? String(productID.dropFirst("phased ".count)) : productID
    guard let product = try? await Product.products(for: [id]).first else { return }
    if isPhased { await phased.purchase(product) } else { await manager.purchase(product) }
  }

  func restore() async { await manager.restorePurchases() }
}
