import Observation
import StoreKit

/// What `Transaction.currentEntitlements` said last, read at launch and after each update.
@MainActor
@Observable
final class Entitlements {
  private(set) var transactions: [Transaction] = []
  private(set) var wasRead = false

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

  func read() async {
    var found: [Transaction] = []
    for await case .verified(let transaction) in Transaction.currentEntitlements { found.append(transaction) }
    transactions = found
    wasRead = true
  }

  func buy(_ productID: String) async {
    guard let product = try? await Product.products(for: [productID]).first,
      case .success(let result) = try? await product.purchase()
    else { return }
    await read()
    await result.unsafePayloadValue.finish()
  }

  var ids: [String] { Set(transactions.map(\.productID)).sorted() }
}
