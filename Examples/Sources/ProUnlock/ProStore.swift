import Observation
import StoreKit

/// One thing to buy, once and for ever.
@MainActor
@Observable
final class ProStore {
  static let pro = "com.example.app.lifetime"

  private(set) var isPro: Bool?
  private(set) var notice: String?
  private var listener: Task<Void, Never>?

  init() {
    listener = Task { [weak self] in
      for await result in Transaction.updates { await self?.receive(result) }
    }
    Task { await refresh() }
  }

  func buy() async {
    do {
      guard let product = try await Product.products(for: [Self.pro]).first else { return notice = "not for sale" }
      switch try await product.purchase() {
      case .success(let result): await receive(result)
      case .pending: notice = "waits for approval"
      case .userCancelled: notice = nil
      @unknown default: notice = nil
      }
    } catch {
      notice = error.localizedDescription
    }
  }

  /// - Returns: whether there was something to restore.
  func restore() async throws -> Bool {
    try await AppStore.sync()
    await refresh()
    return isPro == true
  }

  private func receive(_ result: VerificationResult<Transaction>) async {
    notice = nil
    await refresh()
    await result.unsafePayloadValue.finish()
  }

  private func refresh() async {
    var found = false
    for await case .verified(let transaction) in Transaction.currentEntitlements
    where transaction.productID == Self.pro && transaction.revocationDate == nil { found = true }
    isPro = found
  }
}
