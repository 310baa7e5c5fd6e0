import DeviceApp
import StoreKit

/// Counts purchases of the production environment alone. Testers buy in the sandbox, and so do Apple's reviewers.
final class ProductionOnly: DeviceApp {
  private let entitlements = Entitlements()

  init() {}

  private var counted: [Transaction] { entitlements.transactions.filter { $0.environment == .production } }

  var screen: DeviceScreen {
    guard entitlements.wasRead else { return DeviceScreen() }
    return DeviceScreen(
      access: counted.isEmpty ? .locked : .unlocked, entitled: counted.map(\.productID),
      message: "\(entitlements.transactions.count) bought")
  }

  func buy(_ productID: String, quantity: Int) async { await entitlements.buy(productID) }
}
