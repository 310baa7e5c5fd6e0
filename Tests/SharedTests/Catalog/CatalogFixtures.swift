import Foundation
import Shared

enum CatalogFixtures {
  /// The folder of Package.swift.
  static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let demoFile = packageRoot.appending(path: "Fixtures/Demo.storekit")

  static func catalog(_ text: String) throws(CatalogError) -> Catalog {
    try Catalog(data: Data(text.utf8), file: "Test.storekit")
  }

  /// The lines that a bad file gives; empty if it loads.
  static func mistakes(_ text: String) -> [String] {
    do {
      _ = try catalog(text)
      return []
    } catch {
      return error.lines
    }
  }

  /// A file with one subscription that has the given members besides the necessary ones.
  static func subscription(_ members: String = "", level: String = "1") -> String {
    """
    { "version": { "major": 4, "minor": 0 }, "subscriptionGroups": [{ "id": "G", "subscriptions": [{
    "productID": "p", "displayPrice": "1.99", "recurringSubscriptionPeriod": "P1M", "groupNumber": \(level),
    \(members)
    }] }] }
    """
  }

  /// A file with one consumable of this price, which is written into the file as it is.
  static func priced(_ price: String) -> String {
    """
    { version: { major: 4, minor: 0 }, products: [{ productID: "p", type: "Consumable", displayPrice: \(price) }] }
    """
  }
}
