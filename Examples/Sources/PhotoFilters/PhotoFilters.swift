import DeviceApp
import Observation
import StoreKit

@main
final class PhotoFilters: DeviceApp {
  private let purchases = PurchaseManager()

  var screen: DeviceScreen {
    var screen = DeviceScreen(message: purchases.problem ?? "\(purchases.coinBalance) coins")
    if let plan = purchases.plan {
      screen.access = plan == nil ? .locked : .unlocked
      screen.entitled = plan.map { [$0] } ?? []
    }
    screen.phase =
      switch purchases.phase {
      case .idle: .idle
      case .purchasing: .purchasing
      case .awaitingApproval: .awaitingApproval
      case .completed: .completed
      case .failed: .failed
      }
    return screen
  }

  func buy(_ productID: String, quantity: Int) async { await purchases.buy(productID) }
}
