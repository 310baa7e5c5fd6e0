import Foundation
import Shared
import Testing

/// What real and hand-written files do and Xcode's newest version does not.
struct CatalogToleranceTests {
  private func terms(_ members: String) throws -> SubscriptionTerms {
    let catalog = try CatalogFixtures.catalog(CatalogFixtures.subscription(members))
    return try #require(catalog.product("p")?.subscription)
  }

  @Test func missingKeysHaveDefaults() throws {
    let catalog = try CatalogFixtures.catalog(
      """
      { subscriptionGroups: [{ id: "G", subscriptions: [
      { productID: "p", displayPrice: "1", recurringSubscriptionPeriod: "P1M", localizations: null,
      introductoryOffer: { paymentMode: "free", subscriptionPeriod: "P1W" } }] }] }
      """)
    let product = try #require(catalog.product("p"))
    #expect(catalog.version == CatalogVersion(major: 1, minor: 0))
    #expect(catalog.identifier == "")
    #expect(catalog.settings == CatalogSettings())
    #expect(catalog.settings.storefront == "USA")
    #expect(catalog.settings.locale == "en_US")
    #expect(product.referenceName == nil)
    #expect(!product.isFamilyShareable)
    #expect(product.localizations.isEmpty)
    #expect(product.subscription?.level == 1)
    #expect(product.subscription?.introductoryOffers.first?.periodCount == 1)
    #expect(catalog.warnings.map(\.description) == ["version: is missing; the file is read as version 1.0"])
  }

  @Test func introductoryOfferHasTwoSpellings() throws {
    let offer = #"{ "paymentMode": "free", "subscriptionPeriod": "P1W" }"#
    let other = #"{ "paymentMode": "free", "subscriptionPeriod": "P3D" }"#
    let single = try terms("\"introductoryOffer\": \(offer)").introductoryOffers
    #expect(single.map(\.period.description) == ["P1W"])
    #expect(try terms("\"introductoryOffers\": [\(offer)]").introductoryOffers == single)
    #expect(try terms("\"introductoryOffer\": \(offer), \"introductoryOffers\": []").introductoryOffers == single)
    #expect(try terms("\"introductoryOffer\": null, \"introductoryOffers\": [\(offer)]").introductoryOffers == single)
    #expect(try terms("\"introductoryOffer\": null").introductoryOffers.isEmpty)
    #expect(
      try terms("\"introductoryOffer\": \(offer), \"introductoryOffers\": [\(other)]").introductoryOffers
        .map(\.period.description) == ["P3D"])
  }

  @Test func nonRenewingSubscriptionsHaveTwoSpellings() throws {
    let product = #"[{ productID: "p", displayPrice: "1" }]"#
    for key in ["nonRenewingSubscriptions", "nonRenewableSubscriptions"] {
      let catalog = try CatalogFixtures.catalog("{ version: {}, \(key): \(product) }")
      #expect(catalog.product("p")?.type == .nonRenewing)
      #expect(catalog.warnings.isEmpty)
    }
  }

  @Test(arguments: [
    ("\"0.99\"", 990 as Int64), ("0.99", 990), ("1500", 1_500_000), ("\"12.00\"", 12_000), ("4.10", 4_100),
    ("0.29", 290), ("\"999999.99\"", 999_999_990), ("\"0\"", 0),
  ])
  func priceIsAStringOrANumberAndStaysExact(price: String, milliunits: Int64) throws {
    #expect(try CatalogFixtures.catalog(CatalogFixtures.priced(price)).product("p")?.priceMilliunits == milliunits)
  }

  @Test func unknownKeysAreIgnoredWithOneWarning() throws {
    let catalog = try CatalogFixtures.catalog(
      CatalogFixtures.subscription(#""familySharable": true, "future": { "deep": [1] }"#))
    #expect(
      catalog.warnings.map(\.description) == [
        "subscriptionGroups[0].subscriptions[0].familySharable: is no known key and is ignored, "
          + "like 1 more unknown key"
      ])
  }

  @Test func byteOrderMarkAndWindowsLinesLoad() throws {
    let text = try String(contentsOf: CatalogFixtures.demoFile, encoding: .utf8)
    let windows = "\u{FEFF}" + text.replacing("\n", with: "\r\n")
    #expect(try CatalogFixtures.catalog(windows) == CatalogFixtures.catalog(text))
  }

  @Test func newerVersionLoadsWithAWarning() throws {
    let catalog = try CatalogFixtures.catalog("{ version: { major: 6, minor: 1 }, products: [] }")
    #expect(
      catalog.warnings.map(\.description) == [
        "version: 6.1 is newer than 5.0, the newest known format", "products: the file has no products",
      ])
  }

  @Test func whatHasNoEffectIsSaid() throws {
    let catalog = try CatalogFixtures.catalog(
      """
      { version: {}, products: [{ productID: "c", type: "Consumable", displayPrice: "1", familyShareable: true }],
      subscriptionGroups: [{ id: "G", subscriptions: [{ productID: "p", displayPrice: "1",
      subscriptionGroupID: "H", recurringSubscriptionPeriod: "P2W",
      adHocOffers: [{ offerID: "o", paymentMode: "free", subscriptionPeriod: "P1W", displayPrice: "0.99" },
      { offerID: "o", paymentMode: "free", subscriptionPeriod: "P2W" }] }] }],
      settings: { _storeKitErrors: [{ name: "Purchase", enabled: true }] } }
      """)
    let subscription = "subscriptionGroups[0].subscriptions[0]"
    #expect(
      catalog.warnings.map(\.description) == [
        "settings._storeKitErrors[0]: is switched on, but failures are not taken from the file",
        "products[0].familyShareable: is ignored, only non-consumables and subscriptions can be shared",
        "\(subscription).subscriptionGroupID: \"H\" is ignored, the subscription stands in group \"G\"",
        "\(subscription).recurringSubscriptionPeriod: App Store Connect has no subscriptions of P2W",
        "\(subscription).adHocOffers[0].displayPrice: is ignored, the offer is free",
        "\(subscription).adHocOffers[1]: is ignored, "
          + "\(subscription).adHocOffers[0].offerID has the offer id \"o\" already",
      ])
    #expect(catalog.product("c")?.isFamilyShareable == false)
    let offers = try #require(catalog.product("p")?.subscription?.promotionalOffers)
    #expect(offers.map(\.period.description) == ["P1W"])
    #expect(offers.first?.priceMilliunits == 0)
  }

  @Test func offerCodeIsNamedByItsReferenceName() throws {
    let terms = try terms(
      """
      "codeOffers": [
      { "referenceName": "Summer 25", "paymentMode": "free", "subscriptionPeriod": "P1M", "isStackable": true },
      { "referenceName": "old", "paymentMode": "free", "subscriptionPeriod": "P1M", "eligibility": ["expired"] }]
      """)
    #expect(terms.codeOffers.map(\.id) == ["Summer 25", "old"])
    #expect(terms.codeOffers.map(\.codeEligibility) == [[.new, .existing, .expired], [.expired]])
    #expect(terms.codeOffers.map(\.isStackable) == [true, false])
  }

  @Test func settingsAreRead() throws {
    let settings = try CatalogFixtures.catalog(
      """
      { version: {}, products: [], settings: { _locale: "ja_JP", _storefront: "JPN", _timeRate: 1003,
      _askToBuyEnabled: true, _disableDialogs: true, _billingGracePeriodEnabled: true, _billingIssuesEnabled: true,
      _renewalBillingIssuesEnabled: true, _failTransactionsEnabled: true, _compatibilityTimeRate: { "3": 6 } } }
      """
    ).settings
    #expect(settings.locale == "ja_JP")
    #expect(settings.currency == "JPY")
    #expect(settings.timeRate == 1003)
    #expect(settings.isAskToBuyEnabled)
    #expect(settings.areDialogsDisabled)
    #expect(settings.isBillingGracePeriodEnabled)
    #expect(settings.areBillingIssuesEnabled)
    #expect(settings.areRenewalBillingIssuesEnabled)
    #expect(settings.areTransactionsFailing)
  }

  @Test func storefrontsWithoutACurrencyOfTheirOwnPayInDollars() {
    #expect(StorefrontCurrency.code(of: "DEU") == "EUR")
    #expect(StorefrontCurrency.code(of: "KWT") == "USD")
  }
}
