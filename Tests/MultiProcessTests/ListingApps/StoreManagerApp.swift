import DeviceApp
import StoreKit

/// The manager with a detached listener, and the question whether a trial of thirty days still runs.
@main
final class StoreManagerApp: DeviceApp {
  private let manager = StoreManager()
  private let begun = Date()

  init() {}

  var screen: DeviceScreen {
    DeviceScreen(
      access: manager.purchased.isEmpty ? .locked : .unlocked, entitled: manager.purchased.sorted(),
      message: isWithinTrialPeriod(purchaseDate: begun, days: 30) ? "within the trial" : "the trial is over")
  }
}
