import StoreKit

/// One thing to buy, once and for ever. Its views observe it in the older way, which StoreKit brings along.
@MainActor
final class ProStore: ObservableObject {
  static let pro = "com.example.app.lifetime"

  @Published private(set) var isPro: Bool?
  @Published private(set) var notice: String?
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
