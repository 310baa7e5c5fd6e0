import Foundation
import Shared
import StoreKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProductTests {
  private let daemon = FakeDaemon()

  private func load(_ id: String) async throws -> Product {
    try await on(daemon) { try #require(try await Product.products(for: [id]).first) }
  }

  @Test func productsShowTheCatalogue() async throws {
    daemon.sell(.yearly, groups: ["21000000": "Premium"])
    let product = try await load("yearly")
    #expect(product.id == "yearly")
    #expect(product.type == .autoRenewable)
    #expect(product.displayName == "One Year")
    #expect(product.description == "All filters")
    #expect(product.price == Decimal(string: "39.99"))
    #expect(product.displayPrice == "$39.99")
    #expect(product.isFamilyShareable)
    let subscription = try #require(product.subscription)
    #expect(subscription.subscriptionGroupID == "21000000")
    #expect(subscription.groupDisplayName == "Premium")
    #expect(subscription.groupLevel == 1)
    #expect(subscription.subscriptionPeriod == .yearly)
    let offer = try #require(subscription.introductoryOffer)
    #expect(offer.id == nil)
    #expect(offer.type == .introductory)
    #expect(offer.paymentMode == .freeTrial)
    #expect(offer.period == .weekly)
    #expect(offer.periodCount == 1)
    #expect(offer.price == 0)
  }

  @Test func unknownIdsAreMissingAndDuplicatesCollapse() async throws {
    daemon.sell(.pro, .coins)
    let products = try await on(daemon) { try await Product.products(for: ["pro", "nothing", "pro"]) }
    #expect(products.map(\.id) == ["pro"])
    #expect(daemon.calls == [.products(["nothing", "pro"])])
    #expect(products.first?.subscription == nil)
    #expect(products.first?.displayName == "pro")
  }

  @Test func jsonHoldsWhatStoreKitIsKnownToRead() async throws {
    daemon.sell(.yearly, groups: ["21000000": "Premium"])
    let json = try JSONSerialization.jsonObject(with: await load("yearly").jsonRepresentation) as? [String: Any]
    let attributes = try #require(json?["attributes"] as? [String: Any])
    #expect(attributes["subscriptionFamilyRank"] as? Int == 1)
    #expect(attributes["subscriptionFamilyName"] as? String == "Premium")
    #expect((attributes["icuLocale"] as? String)?.hasPrefix("en_US") == true)
  }

  @Test func periodsAddUpByTheCalendar() throws {
    let date = try Date("2024-01-31T00:00:00Z", strategy: .iso8601)
    let range = Product.SubscriptionPeriod.monthly.dateRange(referenceDate: date)
    #expect(range.upperBound == (try Date("2024-02-29T00:00:00Z", strategy: .iso8601)))
    #expect(DateComponents(subscriptionPeriod: .everyTwoWeeks).weekOfYear == 2)
  }

  @Test func productsKeepTheirDevice() async throws {
    daemon.sell(.pro)
    daemon.put(.of(.pro, id: 5))
    // Outside of the device's tasks, where the static calls would find none.
    let product = try await load("pro")
    #expect(await product.latestTransaction?.unsafePayloadValue.id == 5)
    #expect(await product.currentEntitlements.collect().count == 1)
  }
}
