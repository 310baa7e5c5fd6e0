import Foundation
import Shared
import Testing

struct CatalogErrorTests {
  private func expect(_ text: String, gives lines: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let expected = lines.map { "Test.storekit: \($0)" }
    #expect(CatalogFixtures.mistakes(text) == expected, sourceLocation: sourceLocation)
  }

  @Test func textThatIsNotJSON() {
    expect(
      "{\n  \"products\" : [\n    ;\n  ]\n}",
      gives: "line 3, column 5: found ';', expected a JSON value.")
    expect("", gives: "line 1, column 1: found the end of the file, expected a JSON value.")
    expect(
      "{ \"a\": 1, \"a\": 2 }",
      gives: "line 1, column 11: found the key \"a\" a second time, expected every key once in an object.")
  }

  @Test func jsonThatIsNoConfiguration() {
    expect("[]", gives: "line 1, column 1: found an array, expected an object.")
    expect(
      #"{ "name": "package" }"#,
      gives: "line 1, column 1: found an object that lists no products, "
        + "expected \"products\", \"nonRenewingSubscriptions\" or \"subscriptionGroups\".")
  }

  @Test func bytesThatAreNotText() throws {
    let error = try #require(throws: CatalogError.self) {
      try Catalog(data: Data([0x7B, 0xFF, 0x7D]), file: "Test.storekit")
    }
    #expect(
      error.description
        == "Test.storekit: found bytes that are not UTF-8 text, expected a StoreKit configuration file.")
  }

  @Test func fileThatIsNotThere() throws {
    let error = try #require(throws: CatalogError.self) {
      try Catalog.load(contentsOf: CatalogFixtures.packageRoot.appending(path: "Fixtures/None.storekit"))
    }
    #expect(
      error.description.hasSuffix(
        "None.storekit: found nothing readable (No such file or directory), expected a StoreKit configuration file."))
  }

  @Test func folderInsteadOfAFile() throws {
    let error = try #require(throws: CatalogError.self) { try Catalog.load(contentsOf: CatalogFixtures.packageRoot) }
    #expect(error.description.contains("found nothing readable (Is a directory)"))
  }

  @Test func fileThatIsTooLarge() throws {
    let error = try #require(throws: CatalogError.self) {
      try Catalog(data: Data(count: Catalog.maximumFileSize + 1), file: "Test.storekit")
    }
    #expect(error.description.contains("found more than 16777216 bytes"))
  }

  @Test func priceWithAComma() {
    expect(
      CatalogFixtures.priced("\"1,99\""),
      gives: "line 1, column 99, products[0].displayPrice: found \"1,99\", "
        + "expected a decimal point in the price, such as \"0.99\", whatever the locale.")
  }

  @Test(arguments: ["\"1e2\"", "\" 4.99 \"", "\"-1\"", "\"\"", "1e2", "true", "\"$1\"", "0.9999"])
  func priceThatIsNoPlainDecimal(price: String) {
    expect(
      CatalogFixtures.priced(price),
      gives: "line 1, column 99, products[0].displayPrice: found \(price), "
        + "expected a price such as \"0.99\": digits, at most three decimals, no sign and no currency.")
  }

  @Test func priceThatIsMissing() {
    expect(
      CatalogFixtures.priced("null"),
      gives: "line 1, column 47, products[0].displayPrice: found nothing, "
        + "expected a price such as \"0.99\": digits, at most three decimals, no sign and no currency.")
  }

  @Test func productWithoutAType() {
    expect(
      #"{ version: {}, products: [{ productID: "p", displayPrice: "1" }] }"#,
      gives: "line 1, column 27, products[0].type: found nothing, "
        + "expected \"Consumable\", \"NonConsumable\" or \"NonRenewingSubscription\".")
  }

  @Test func typeInTheWrongList() {
    expect(
      #"{ version: {}, nonRenewingSubscriptions: [{ productID: "p", displayPrice: "1", type: "Consumable" }] }"#,
      gives: "line 1, column 86, nonRenewingSubscriptions[0].type: found \"Consumable\", "
        + "expected \"NonRenewingSubscription\".")
  }

  @Test(arguments: ["\"\"", "\"a b\"", "\"a\\nb\"", "7"])
  func idThatNamesNothing(id: String) {
    expect(
      #"{ version: {}, products: [{ type: "Consumable", displayPrice: "1", productID: "# + id + " }] }",
      gives: "line 1, column 79, products[0].productID: found \(id), expected an id without white space.")
  }

  @Test func periodOfAnotherForm() {
    expect(
      """
      { "version": {}, "subscriptionGroups": [{ "id": "G", "subscriptions": [
      { "productID": "a", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M" },
      { "productID": "b", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M" },
      { "productID": "c", "displayPrice": "1", "recurringSubscriptionPeriod": "1 month" }] }] }
      """,
      gives: "line 4, column 73, subscriptionGroups[0].subscriptions[2].recurringSubscriptionPeriod: "
        + "found \"1 month\", expected a period such as \"P1W\", \"P1M\" or \"P1Y\".")
  }

  @Test(arguments: ["0", "-1", "1.5", "1000", "\"1\"", "99999999999999999999"])
  func levelThatIsNoLevel(level: String) {
    expect(
      CatalogFixtures.subscription(level: level),
      gives: "line 2, column 96, subscriptionGroups[0].subscriptions[0].groupNumber: found \(level), "
        + "expected a whole number from 1 to 999.")
  }

  @Test func groupWithoutAnID() {
    expect(
      #"{ version: {}, subscriptionGroups: [{ subscriptions: [{ productID: "p", type: "Consumable" }] }] }"#,
      gives: "line 1, column 37, subscriptionGroups[0].id: found nothing, expected an id without white space.",
      "line 1, column 55, subscriptionGroups[0].subscriptions[0].recurringSubscriptionPeriod: found nothing, "
        + "expected a period such as \"P1W\", \"P1M\" or \"P1Y\".",
      "line 1, column 55, subscriptionGroups[0].subscriptions[0].displayPrice: found nothing, "
        + "expected a price such as \"0.99\": digits, at most three decimals, no sign and no currency.",
      "line 1, column 79, subscriptionGroups[0].subscriptions[0].type: found \"Consumable\", "
        + "expected \"RecurringSubscription\".")
  }

  @Test func productIDTwiceNamesBothPlaces() {
    expect(
      """
      { version: {}, products: [{ productID: "p1", type: "NonConsumable", displayPrice: "1" }],
      subscriptionGroups: [{ id: "G", subscriptions: [
      { productID: "p1", displayPrice: "1", recurringSubscriptionPeriod: "P1M" }] }] }
      """,
      gives: "line 3, column 14, subscriptionGroups[0].subscriptions[0].productID: found the product id \"p1\", "
        + "which products[0].productID on line 1 has already, expected every product id once.")
  }

  @Test func groupIDTwiceNamesBothPlaces() {
    expect(
      "{ version: {}, subscriptionGroups: [{ id: \"G\" },\n{ id: \"G\" }] }",
      gives: "line 2, column 7, subscriptionGroups[1].id: found the group id \"G\", "
        + "which subscriptionGroups[0].id on line 1 has already, expected every group id once.")
  }

  @Test func offersThatLackTheirParts() {
    expect(
      CatalogFixtures.subscription(
        """
        "introductoryOffer": { "paymentMode": "FREE_TRIAL", "subscriptionPeriod": "P1W" },
        "adHocOffers": [{ "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1W" }],
        "codeOffers": [{ "paymentMode": "free", "subscriptionPeriod": "P1W", "eligibility": ["anyone"] }],
        "winbackOffers": [{ "offerID": "w", "paymentMode": "free", "numberOfPeriods": 0 }]
        """),
      gives: "line 3, column 39, subscriptionGroups[0].subscriptions[0].introductoryOffer.paymentMode: "
        + "found \"FREE_TRIAL\", expected \"free\", \"payAsYouGo\" or \"payUpFront\".",
      "line 4, column 17, subscriptionGroups[0].subscriptions[0].adHocOffers[0].offerID: "
        + "found nothing, expected an id without white space.",
      "line 4, column 17, subscriptionGroups[0].subscriptions[0].adHocOffers[0].displayPrice: found nothing, "
        + "expected a price such as \"0.99\": digits, at most three decimals, no sign and no currency.",
      "line 5, column 16, subscriptionGroups[0].subscriptions[0].codeOffers[0].referenceName: "
        + "found nothing, expected the name of the offer code.",
      "line 5, column 86, subscriptionGroups[0].subscriptions[0].codeOffers[0].eligibility[0]: "
        + "found \"anyone\", expected \"new\", \"existing\" or \"expired\".",
      "line 6, column 19, subscriptionGroups[0].subscriptions[0].winbackOffers[0].subscriptionPeriod: "
        + "found nothing, expected a period such as \"P1W\", \"P1M\" or \"P1Y\".",
      "line 6, column 79, subscriptionGroups[0].subscriptions[0].winbackOffers[0].numberOfPeriods: "
        + "found 0, expected a whole number from 1 to 999.")
  }

  @Test func settingsOfTheWrongKind() {
    expect(
      #"{ products: [], version: 4, settings: { _askToBuyEnabled: 1, _locale: 2, _storefront: "US" } }"#,
      gives: "line 1, column 26, version: found 4, expected an object.",
      "line 1, column 59, settings._askToBuyEnabled: found 1, expected true or false.",
      "line 1, column 71, settings._locale: found 2, expected a string.",
      "line 1, column 87, settings._storefront: found \"US\", "
        + "expected a country code of three capital letters such as \"USA\".")
  }

  @Test func listsOfTheWrongKind() {
    expect(
      "{ products: {}, nonRenewingSubscriptions: [null], subscriptionGroups: [1] }",
      gives: "line 1, column 13, products: found an object, expected an array.",
      "line 1, column 44, nonRenewingSubscriptions[0]: found null, expected an object.",
      "line 1, column 72, subscriptionGroups[0]: found 1, expected an object.")
  }

  @Test func oneBadProductRefusesTheFileAndAllMistakesAreInOneSentence() throws {
    let error = try #require(throws: CatalogError.self) {
      try CatalogFixtures.catalog(
        """
        { version: {}, products: [{ productID: "good", type: "Consumable", displayPrice: "1" },
        { productID: "bad", type: "Consumable" }, { productID: "worse", displayPrice: "free", type: "Consumable" }] }
        """)
    }
    #expect(error.mistakes.map(\.keyPath) == ["products[1].displayPrice", "products[2].displayPrice"])
    #expect(
      error.description
        == "Test.storekit has 2 mistakes: \(error.mistakes[0]); \(error.mistakes[1]).")
  }

  @Test func textFromTheFileIsShortenedAndCannotSteerATerminal() {
    let lines = CatalogFixtures.mistakes(
      CatalogFixtures.priced("\"\\u001b[2J\\u202e" + String(repeating: "9", count: 1000) + "x\""))
    #expect(lines.count == 1)
    #expect(lines[0].contains(#"found "\u{1B}[2J\u{202E}999"#))
    #expect(lines[0].utf8.count < 400)
  }
}
