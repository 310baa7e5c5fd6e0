import DeviceApp
import Observation
import StoreKit

@main
final class ExamPrep: DeviceApp {
  private let store = SubscriptionStore()
  private let opened: SubscriptionStore.Access

  init() { opened = store.access }

  var screen: DeviceScreen {
    var screen = DeviceScreen(message: lines.joined(separator: "; "))
    switch store.access {
    case .unknown: break
    case .free: screen.access = .locked
    case .premium(let plan):
      screen.access = .unlocked
      screen.entitled = [plan.productID]
      screen.familyShared = plan.isFamilyShared ? [plan.productID] : []
    }
    screen.restore =
      switch store.restore {
      case .idle, .running: nil
      case .restored: .restored
      case .nothingFound: .nothingToRestore
      case .failed: .failed
      }
    return screen
  }

  /// The texts and buttons that matter here.
  private var lines: [String] {
    let first = opened == .unknown ? "opened with a spinner" : "opened with a verdict"
    switch store.access {
    case .unknown: return [first]
    case .free: return [first, store.isTrialOffered == true ? "one week free" : "subscribe"]
    case .premium(let plan): return [first, plan.isFamilyShared ? "shared by your family" : "manage subscription"]
    }
  }

  func buy(_ productID: String, quantity: Int) async { try? await store.buy(productID) }
  func restore() async { await store.restorePurchases() }
}
