import StoreKit

/// Lives as long as the app, and so does its listener: no view can take it away.
@MainActor
final class StoreManager: ObservableObject {
  @Published private(set) var owned: Set<String>?
  /// When the subscription was bought for the first time.
  @Published private(set) var subscriberSince: Date?
  private var listener: Task<Void, Never>?

  /// What time it is, so that a test can say so.
  private let now: () -> Date

  init(now: @escaping () -> Date = { Date() }) {
    self.now = now
    listener = Task.detached { [weak self] in
      for await result in Transaction.updates { await self?.receive(result) }
    }
    Task {
      await refresh()
      for await result in Transaction.unfinished { await receive(result) }
    }
  }

  /// New subscribers see it for thirty days of the calendar, however long a period lasts where they test.
  var showsOnboarding: Bool {
    guard let subscriberSince else { return false }
    return now().timeIntervalSince(subscriberSince) < 30 * 86_400
  }

  func buy(_ productID: String) async throws {
    guard let product = try await Product.products(for: [productID]).first,
      case .success(let result) = try await product.purchase()
    else { return }
    await receive(result)
  }

  private func receive(_ result: VerificationResult<Transaction>) async {
    await refresh()
    await result.unsafePayloadValue.finish()
  }

  private func refresh() async {
    var found: Set<String> = []
    var since: Date?
    for await case .verified(let transaction) in Transaction.currentEntitlements {
      found.insert(transaction.productID)
      if transaction.productType == .autoRenewable { since = transaction.originalPurchaseDate }
    }
    owned = found
    subscriberSince = since
  }
}
