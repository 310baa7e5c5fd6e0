import Foundation
import Shared
import Testing

struct DemoCatalogTests {
  private let catalog: Catalog
  private let prefix = "com.example.app."

  init() throws {
    catalog = try Catalog.load(contentsOf: CatalogFixtures.demoFile)
  }

  @Test func hasEveryProductOnceInFileOrder() {
    #expect(
      catalog.products.map(\.id)
        == [
          "coins", "lifetime", "season", "yearly", "monthly", "basic.monthly", "cloud.weekly",
        ].map { prefix + $0 })
    #expect(catalog.warnings.isEmpty)
    #expect(catalog.version.description == "4.0")
    #expect(CatalogInvariants.broken(catalog) == [])
  }

  @Test(arguments: [
    ("coins", ProductType.consumable, 990 as Int64, false), ("lifetime", .nonConsumable, 49_990, true),
    ("season", .nonRenewing, 9_990, false), ("yearly", .autoRenewable, 39_990, true),
    ("monthly", .autoRenewable, 4_990, true), ("basic.monthly", .autoRenewable, 1_990, false),
    ("cloud.weekly", .autoRenewable, 490, false),
  ])
  func productHasItsTypePriceAndSharing(id: String, type: ProductType, price: Int64, isShareable: Bool) throws {
    let product = try #require(catalog.product(prefix + id))
    #expect(product.type == type)
    #expect(product.priceMilliunits == price)
    #expect(product.isFamilyShareable == isShareable)
    #expect(product.localizations.first?.displayName == product.referenceName)
  }

  @Test func groupsHaveTheirLevelsAndPeriods() throws {
    #expect(catalog.groups.map(\.name) == ["Premium", "Extras"])
    let premium = catalog.subscriptions(inGroup: try #require(catalog.groups.first?.id))
    #expect(premium.map { $0.subscription?.level } == [1, 2, 3])
    #expect(premium.map { $0.subscription?.period.description } == ["P1Y", "P1M", "P1M"])
    let extras = catalog.subscriptions(inGroup: try #require(catalog.groups.last?.id))
    #expect(extras.map { $0.subscription?.period.description } == ["P1W"])
    #expect(catalog.subscriptions(inGroup: "nowhere").isEmpty)
    #expect(catalog.product("com.example.app.unknown") == nil)
  }

  @Test func yearlyHasAnOfferOfEveryKind() throws {
    let terms = try #require(catalog.product(prefix + "yearly")?.subscription)
    let week = try #require(SubscriptionPeriod("P1W"))
    let month = try #require(SubscriptionPeriod("P1M"))
    let year = try #require(SubscriptionPeriod("P1Y"))
    #expect(
      terms.offers == [
        SubscriptionOffer(
          id: nil, kind: .introductory, referenceName: nil, paymentMode: .freeTrial, period: week, periodCount: 1,
          priceMilliunits: 0),
        SubscriptionOffer(
          id: "spring", kind: .promotional, referenceName: "Spring Promotion", paymentMode: .payAsYouGo, period: month,
          periodCount: 3, priceMilliunits: 2_990),
        SubscriptionOffer(
          id: "workshop", kind: .code, referenceName: "workshop", paymentMode: .payUpFront, period: year,
          periodCount: 1, priceMilliunits: 19_990, codeEligibility: [.new, .existing, .expired]),
        SubscriptionOffer(
          id: "comeback", kind: .winBack, referenceName: "Come Back", paymentMode: .freeTrial, period: month,
          periodCount: 1, priceMilliunits: 0, isWinBackEligible: true),
      ])
  }

  @Test func settingsComeFromTheFile() {
    #expect(catalog.settings.storefront == "USA")
    #expect(catalog.settings.currency == "USD")
    #expect(catalog.settings.areDialogsDisabled)
    #expect(!catalog.settings.isAskToBuyEnabled)
  }
}
