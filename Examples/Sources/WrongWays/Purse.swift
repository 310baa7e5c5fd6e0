import Observation
import StoreKit

/// Coins, counted as carelessly as many apps do: whatever is delivered is added.
@MainActor
@Observable
final class Purse {
  private(set) var coins = UserDefaults.standard.integer(forKey: "coins")

  func add(_ result: VerificationResult<Transaction>) {
    guard case .verified(let transaction) = result, transaction.productType == .consumable else { return }
    coins += 100
    UserDefaults.standard.set(coins, forKey: "coins")
    // At once: a kill in the next moment is not the mistake that these apps are about.
    UserDefaults.standard.synchronize()
  }
}
