import Fleet
import Shared
import Wire

/// What a user or an account may use, as a table.
enum EntitlementTable {
  /// A product of an account, for programs.
  struct Line: Encodable {
    var product: String
    var transactionId: String
    var entitled: Bool
    var familyShared: Bool
    var why: String

    init(_ truth: ProductTruth) {
      product = truth.productId
      transactionId = "\(truth.transactionId)"
      entitled = truth.isEntitled
      familyShared = truth.isFamilyShared
      why = truth.why
    }
  }

  static func lines(_ entitlements: [UserEntitlement]) -> [String] {
    if entitlements.isEmpty { return ["Nothing is bound to this user."] }
    var table = Table(["product", "may be used", "status", "until", "account", "transaction"].map { .init($0) })
    for one in entitlements {
      table.addRow([
        one.productId, one.isEntitled ? "yes" : "no", one.status.rawValue, one.expiresDate.map(\.description) ?? "–",
        one.account, "\(one.transactionId)",
      ])
    }
    return table.lines(fitting: Terminal.width)
  }

  static func lines(_ products: [ProductTruth]) -> [String] {
    if products.isEmpty { return ["It never owned anything."] }
    var table = Table(["product", "may be used", "why"].map { .init($0) })
    for product in products { table.addRow([product.productId, product.isEntitled ? "yes" : "no", product.why]) }
    return table.lines(fitting: Terminal.width)
  }
}
