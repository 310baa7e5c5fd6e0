import Observation
import StoreKit

/// Sells a subscription and coins, and keeps the two apart.
@MainActor
@Observable
final class PurchaseManager {
  static let plans: Set<String> = ["com.example.app.monthly", "com.example.app.yearly"]
  static let coins = "com.example.app.coins"

  enum Phase {
    case idle, purchasing, awaitingApproval, completed, failed
  }

  /// Nil until it was read for the first time.
  private(set) var plan: String??
  private(set) var coinBalance: Int
  private(set) var phase = Phase.idle
  private(set) var problem: String?

  /// The consumable transactions that were granted: one that is delivered twice counts once.
  private var granted: Set<String>
  private var listener: Task<Void, Never>?

  init() {
    coinBalance = UserDefaults.standard.integer(forKey: "coins")
    granted = Set(UserDefaults.standard.stringArray(forKey: "granted") ?? [])
    // From the first moment on: what happened while the app was closed comes right now.
    listener = Task { [weak self] in
      for await result in Transaction.updates { await self?.receive(result) }
    }
    Task { await readPlan() }
  }

  func buy(_ productID: String) async {
    phase = .purchasing
    problem = nil
    do {
      guard let product = try await Product.products(for: [productID]).first else {
        throw Product.PurchaseError.productUnavailable
      }
      switch try await product.purchase() {
      case .success(let result):
        await receive(result)
        phase = .completed
      case .pending:
        // Nothing to finish yet: the transaction comes with the approval, through the listener.
        phase = .awaitingApproval
      case .userCancelled: phase = .idle
      @unknown default: phase = .idle
      }
    } catch {
      phase = .failed
      problem = error.localizedDescription
    }
  }

  private func receive(_ result: VerificationResult<Transaction>) async {
    if case .verified(let transaction) = result {
      grant(transaction)
      await readPlan()
    }
    // Also what is not verified, which would come again at every launch; and last, so that a crash loses nothing.
    await result.unsafePayloadValue.finish()
  }

  private func grant(_ transaction: Transaction) {
    guard transaction.productType == .consumable, transaction.revocationDate == nil,
      granted.insert(String(transaction.id)).inserted
    else { return }
    coinBalance += 100 * transaction.purchasedQuantity
    UserDefaults.standard.set(coinBalance, forKey: "coins")
    UserDefaults.standard.set(Array(granted), forKey: "granted")
  }

  private func readPlan() async {
    var found: String?
    for await result in Transaction.currentEntitlements {
      // What else there is, lifetime purchases for example, is no subscription.
      guard case .verified(let transaction) = result, transaction.productType == .autoRenewable,
        transaction.revocationDate == nil
      else { continue }
      found = transaction.productID
    }
    plan = .some(found)
  }
}
