/// For which subscriptions of an account the store cannot charge.
package struct BillingSwitches: Hashable, Sendable, Codable {
  package private(set) var failsForAll = false
  package private(set) var failing: Set<String> = []

  package init() {}

  /// - Parameter productId: nil for all; to charge again for all forgets the switches of products.
  package mutating func set(_ productId: String?, fails: Bool) {
    switch (productId, fails) {
    case (nil, true): failsForAll = true
    case (nil, false): self = BillingSwitches()
    case (let product?, true): failing.insert(product)
    case (let product?, false): failing.remove(product)
    }
  }

  package func fails(for productId: String) -> Bool { failsForAll || failing.contains(productId) }
}
