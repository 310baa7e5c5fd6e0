import Foundation
import StoreKitTest
import Testing

/// The products of Shop.storekit, and a session on it.
enum Shop {
  static let coins = "shop.coins"
  static let lifetime = "shop.lifetime"
  static let pack = "shop.pack"
  static let season = "shop.season"
  static let yearly = "shop.yearly"
  static let monthly = "shop.monthly"
  static let cloud = "shop.cloud"

  static func session() throws -> SKTestSession { try SKTestSession(configurationFileNamed: "Shop") }

  static func product(_ id: String) async throws -> Product {
    try #require(try await Product.products(for: [id]).first)
  }

  /// What the app may unlock, in order.
  static func entitled() async -> [String] {
    var ids: [String] = []
    for await case .verified(let transaction) in Transaction.currentEntitlements { ids.append(transaction.productID) }
    return ids.sorted()
  }

  static func unfinished() async -> [String] {
    var ids: [String] = []
    for await result in Transaction.unfinished { ids.append(result.unsafePayloadValue.productID) }
    return ids.sorted()
  }

  static func status(_ product: String) async throws -> Product.SubscriptionInfo.Status? {
    try await Shop.product(product).subscription?.status.first
  }

  static func state(_ product: String) async throws -> Product.SubscriptionInfo.RenewalState? {
    try await status(product)?.state
  }

  /// Buys as an app does; the transaction when it was bought at once.
  @discardableResult
  static func buyInApp(_ id: String, finishes: Bool = true) async throws -> Transaction? {
    guard case .success(let result) = try await product(id).purchase() else { return nil }
    let transaction = try result.payloadValue
    if finishes { await transaction.finish() }
    return transaction
  }
}
