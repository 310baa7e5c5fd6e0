package import ClientNode
import Foundation

/// A wish that only StoreKitTest's purchases know; an app's purchase passes over it.
package enum TestPurchaseOption: Hashable, Sendable {
  case codeOffer(referenceName: String)
  case promotionalOffer(id: String)
  case purchaseDate(Date, cancelsImmediately: Bool)
}

extension Product.PurchaseOption {
  package init(_ option: TestPurchaseOption) { self.init(kind: .testing(option)) }

  package var testing: TestPurchaseOption? {
    if case .testing(let option) = kind { option } else { nil }
  }

  /// What a set of options asks of the store.
  package static func order(
    for productId: String, with options: Set<Product.PurchaseOption>
  ) throws(Product.PurchaseError) -> PurchaseOrder {
    var order = PurchaseOrder(productId: productId, offer: try offer(of: options))
    for option in options { option.apply(to: &order) }
    return order
  }
}
