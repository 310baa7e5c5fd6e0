import StoreKit

/// One listener, from the launch on, and what the customer may use.
@MainActor final class PurchaseManager: ObservableObject {
  @Published private(set) var owned: Set<String> = []
  @Published private(set) var isLoaded = false
  private var listener: Task<Void, Never>?

  init() {
    listener = Task { [weak self] in
      await self?.load()
      for await result in Transaction.updates {
        guard case .verified(let transaction) = result else { continue }
        await self?.load()
        await transaction.finish()
      }
    }
  }

  deinit { listener?.cancel() }

  func buy(_ productID: String) async {
    guard let product = try? await Product.products(for: [productID]).first,
      case .success(.verified(let transaction))? = try? await product.purchase()
    else { return }
    await load()
    await transaction.finish()
  }

  private func load() async {
    var found: Set<String> = []
    for await case .verified(let transaction) in Transaction.currentEntitlements { found.insert(transaction.productID) }
    owned = found
    isLoaded = true
  }
}
