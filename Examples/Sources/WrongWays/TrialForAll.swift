import DeviceApp
import Observation
import StoreKit

/// Offers the trial because the product has one, to people who have had it too.
@Observable
final class TrialForAll: DeviceApp {
  private let entitlements = Entitlements()
  private var hasTrial = false

  init() {
    Task {
      let product = try? await Product.products(for: ["com.example.app.monthly"]).first
      hasTrial = product?.subscription?.introductoryOffer?.paymentMode == .freeTrial
    }
  }

  var screen: DeviceScreen {
    let isPremium = !entitlements.transactions.isEmpty
    return DeviceScreen(
      access: isPremium ? .unlocked : .locked, entitled: entitlements.ids,
      message: isPremium ? "manage subscription" : hasTrial ? "one week free" : "subscribe")
  }

  func buy(_ productID: String, quantity: Int) async { await entitlements.buy(productID) }
}
