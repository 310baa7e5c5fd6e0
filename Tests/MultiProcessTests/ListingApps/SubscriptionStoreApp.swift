import DeviceApp
import Observation
import StoreKit

/// The store with three values, whose subscription may be the family's, and a restore that tells how it ended.
@main
@Observable
final class SubscriptionStoreApp: DeviceApp {
  private let store = SubscriptionStore()
  private let coordinator = RestoreCoordinator()
  private var entitlement: EntitlementInfo?
  private var isTrialOffered: Bool?

  init() {
    Task {
      for await result in Transaction.updates {
        await read()
        await result.unsafePayloadValue.finish()
      }
    }
    Task {
      for await _ in Product.SubscriptionInfo.Status.updates { await read() }
    }
    Task { await read() }
  }

  private func read() async {
    await store.refresh()
    entitlement = await currentEntitlement()
    isTrialOffered = await isEligibleForIntroOffer(productID: "com.yourcompany.appname.pro_yearly")
  }

  var screen: DeviceScreen {
    var screen = DeviceScreen(message: isTrialOffered.map { $0 ? "trial" : "no trial" })
    switch store.state {
    case .unknown: break
    case .premium: screen.access = .unlocked
    case .free: screen.access = .locked
    }
    if let entitlement, let product = entitlement.productID, entitlement.isActive {
      screen.entitled = [product]
      screen.familyShared = entitlement.isFamilyShared ? [product] : []
    }
    switch coordinator.state {
    case .idle, .syncing: break
    case .succeededWith(let restored): screen.restore = restored ? .restored : .nothingToRestore
    case .failed: screen.restore = .failed
    }
    return screen
  }

  func buy(_ productID: String, quantity: Int) async {
    guard let product = try? await Product.products(for: [productID]).first,
      case .success(.verified(let transaction)) = try? await product.purchase()
    else { return }
    await read()
    await transaction.finish()
  }

  func restore() async { await coordinator.restore(store: store) }
}
