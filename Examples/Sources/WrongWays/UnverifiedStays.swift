import DeviceApp
import Observation
import StoreKit

/// Logs what is not verified, and finishes only the rest: the same transaction comes again at each launch.
@Observable
final class UnverifiedStays: DeviceApp {
  private var complaints = 0

  init() {
    Task {
      for await result in Transaction.updates {
        do {
          let transaction = try result.payloadValue
          await transaction.finish()
        } catch {
          complaints += 1
        }
      }
    }
  }

  var screen: DeviceScreen { DeviceScreen(access: .locked, message: "\(complaints) complaints") }
}
