package import Shared

/// Which records of an account are wanted, in the order of their last modification.
package struct RecordQuery: Hashable, Sendable {
  /// Where the page begins: after the record with this change, or before it when the order is descending. Nil begins at
  /// the end that comes first.
  package var after: UInt64?
  package var limit: Int
  package var isDescending: Bool
  /// Nil for any, as for all that follow.
  package var products: Set<String>?
  package var types: Set<ProductType>?
  package var groups: Set<String>?
  /// Not before.
  package var purchasedFrom: StoreTime?
  /// Before.
  package var purchasedUntil: StoreTime?
  package var isShared: Bool?
  package var isRevoked: Bool?
  /// How many rows a page may look at, so that it costs the same however long the history is: where filters leave out
  /// more, the page is short and `hasMore` is set all the same. Products and types have an index and cost no look.
  package var mostLooks: Int

  package static let usualLooks = 2_000

  package init(
    after: UInt64? = nil, limit: Int, isDescending: Bool = false, products: Set<String>? = nil,
    types: Set<ProductType>? = nil, groups: Set<String>? = nil, purchasedFrom: StoreTime? = nil,
    purchasedUntil: StoreTime? = nil, isShared: Bool? = nil, isRevoked: Bool? = nil,
    mostLooks: Int = RecordQuery.usualLooks
  ) {
    self.after = after
    self.limit = limit
    self.isDescending = isDescending
    self.products = products
    self.types = types
    self.groups = groups
    self.purchasedFrom = purchasedFrom
    self.purchasedUntil = purchasedUntil
    self.isShared = isShared
    self.isRevoked = isRevoked
    self.mostLooks = mostLooks
  }

  /// All that there is, of these products or of any.
  package static func all(ofProducts products: Set<String>? = nil) -> RecordQuery {
    RecordQuery(limit: .max, products: products, mostLooks: .max)
  }

  func matches(_ record: StoredRecord) -> Bool {
    if let products, !products.contains(record.productId) { return false }
    if let types, !types.contains(record.type) { return false }
    if let groups, !(record.group.map(groups.contains) ?? false) { return false }
    if let purchasedFrom, record.purchased < purchasedFrom { return false }
    if let purchasedUntil, record.purchased >= purchasedUntil { return false }
    if let isShared, record.isShared != isShared { return false }
    if let isRevoked, record.isRevoked != isRevoked { return false }
    return true
  }

  /// Whether `change` lies on the page or behind it.
  func isPast(_ change: UInt64) -> Bool {
    guard let after else { return true }
    return isDescending ? change < after : change > after
  }
}
