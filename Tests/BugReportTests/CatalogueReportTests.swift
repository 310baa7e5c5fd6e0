import ClientNode
import Shared
import Testing
import Wire

/// Public reports about `.storekit` files, as purchases and phones see them.
struct CatalogueReportTests {
  /// A group whose plans are not in the order of their levels.
  private static let plans: [(id: String, level: Int, period: String)] = [
    ("three", 3, "P1M"), ("twoMonthly", 2, "P1M"), ("one", 1, "P1Y"), ("twoYearly", 2, "P1Y"),
  ]

  private static func catalog(_ price: String = "9.99") -> String {
    let subscriptions = plans.map { plan in
      """
      { "productID": "\(Item.prefix)\(plan.id)", "displayPrice": "\(price)", "groupNumber": \(plan.level),
        "recurringSubscriptionPeriod": "\(plan.period)", "type": "RecurringSubscription" }
      """
    }
    return """
      { "version": { "major": 3, "minor": 0 }, "products": [],
        "subscriptionGroups": [ { "id": "G", "name": "Plans",
          "subscriptions": [ \(subscriptions.joined(separator: ",")) ] } ] }
      """
  }

  /// flutter/flutter#182939 and public `.storekit` files.
  @Test(arguments: [("0.99", 990), ("12.00", 12_000), ("1500", 1_500_000), ("0", 0), ("999999.99", 999_999_990)])
  func br78PricesReachTheTransactionAsIntegerThousandths(price: String, milliunits: Int64) throws {
    let town = try Town([:], catalog: Self.catalog(price))
    try town.open("alice")
    try town.ask(Purchase(productId: Item.prefix + "three"), of: town.address(.account, "alice"))
    #expect(try town.charges(of: "alice") == [milliunits])
  }

  @Test(arguments: ["1,99", "1e2", "", "-1"]) func br78PriceThatIsNoPlainDecimalIsRefused(price: String) {
    #expect(throws: WireError.self) { try Town([:], catalog: Self.catalog(price)) }
  }

  /// delasign.com, "Xcode StoreKit local tiered subscriptions".
  @Test func br79LowerLevelIsAnUpgradeForEveryPairOfPlans() throws {
    let town = try Town([:], catalog: Self.catalog())
    for from in Self.plans {
      for to in Self.plans where to.id != from.id {
        let account = "\(from.id)-\(to.id)"
        try town.open(account)
        for plan in [from, to] {
          try town.ask(Purchase(productId: Item.prefix + plan.id), of: town.address(.account, account))
        }
        let isNow = to.level < from.level || (to.level == from.level && to.period == from.period)
        let history = try town.history(of: account)
        let info = try #require(history.renewalInfos.values.first)
        #expect(info.productId == Item.prefix + (isNow ? to.id : from.id), "\(account)")
        #expect(info.autoRenewProductId == Item.prefix + to.id, "\(account)")
        #expect(history.records.count == (isNow ? 2 : 1), "\(account)")
      }
    }
  }

  /// RevenueCat/purchases-ios#2979, RevenueCat/purchases-flutter#514.
  @Test func br80ProductsComeOnceEachAndUnknownIdsAreMissing() throws {
    let town = try Town(["a": "alice"])
    let known = Item.allCases.map(\.id)
    let ids = known + known.reversed() + (0..<186).map { "com.example.app.unknown\($0)" }
    guard case .success(.products(let reply)) = try town.call(.products(ids), on: "a") else {
      Issue.record("no products")
      return
    }
    #expect(Set(reply.products.map(\.id)) == Set(known))
    #expect(reply.products.count == known.count)
  }
}
