import Foundation
import StoreKitTest
import Testing

/// What public suites expect of a fresh start, and what Apple's leaves behind.
@Suite(.storeKitWorld, .timeLimit(.minutes(1))) struct ResetTests {
  private let session: SKTestSession

  init() throws { session = try Shop.session() }

  @Test(arguments: [true, false]) func clearedStoreHasNothing(clearsFirst: Bool) async throws {
    session.askToBuyEnabled = true
    _ = try await Shop.product(Shop.pack).purchase()
    session.askToBuyEnabled = false
    try await session.buyProduct(identifier: Shop.coins)
    try await Shop.buyInApp(Shop.monthly, finishes: false)
    if clearsFirst {
      session.clearTransactions()
      session.resetToDefaultState()
    } else {
      session.resetToDefaultState()
      session.clearTransactions()
    }
    #expect(session.allTransactions().isEmpty)
    #expect(await Shop.entitled() == [])
    #expect(await Shop.unfinished() == [])
    #expect(try await Shop.status(Shop.monthly) == nil)
    let subscription = try #require(try await Shop.product(Shop.monthly).subscription)
    #expect(await subscription.isEligibleForIntroOffer)
    // Nothing of before comes to who listens now.
    let app = await ListeningApp()
    let transaction = try await session.buyProduct(identifier: Shop.lifetime)
    #expect(await app.first(1).map(\.id) == [transaction.id])
  }

  @Test func resetBringsTheFilesSettingsBack() throws {
    session.askToBuyEnabled = true
    session.disableDialogs = true
    session.interruptedPurchasesEnabled = true
    session.shouldEnterBillingRetryOnRenewal = true
    session.billingGracePeriodIsEnabled = true
    session.storefront = "DEU"
    session.locale = Locale(identifier: "de_DE")
    session.timeRate = .oneRenewalEveryMinute
    session.failTransactionsEnabled = true
    session.resetToDefaultState()
    #expect(!session.askToBuyEnabled)
    #expect(!session.disableDialogs)
    #expect(!session.interruptedPurchasesEnabled)
    #expect(!session.shouldEnterBillingRetryOnRenewal)
    #expect(!session.billingGracePeriodIsEnabled)
    #expect(session.storefront == "USA")
    #expect(session.locale.identifier == "en_US")
    #expect(session.timeRate == .realTime)
    #expect(!session.failTransactionsEnabled)
  }

  @Test func settingsOutliveClearedTransactions() async throws {
    session.shouldEnterBillingRetryOnRenewal = true
    session.clearTransactions()
    try await Shop.buyInApp(Shop.monthly)
    try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
    #expect(try await Shop.state(Shop.monthly) == .inBillingRetryPeriod)
  }

  @Test func storefrontChangesWhereTheAccountBuys() async throws {
    session.storefront = "DEU"
    #expect(await Storefront.current?.countryCode == "DEU")
    let transaction = try await session.buyProduct(identifier: Shop.lifetime)
    #expect(transaction.storefront.countryCode == "DEU")
    #expect(transaction.currency?.identifier == "EUR")
    #expect(try await Shop.product(Shop.lifetime).priceFormatStyle.currencyCode == "EUR")
    session.storefront = "nowhere"
    #expect(session.storefront == "DEU")
  }

  @Test func sessionsOfAWorldShareIt() async throws {
    let other = try Shop.session()
    try await session.buyProduct(identifier: Shop.lifetime)
    #expect(other.allTransactions().count == 1)
    other.askToBuyEnabled = true
    #expect(session.askToBuyEnabled)
    other.clearTransactions()
    #expect(session.allTransactions().isEmpty)
  }

  @Test func anotherConfigurationTakesThePlaceOfTheOne() async throws {
    try await session.buyProduct(identifier: Shop.lifetime)
    let folder = FileManager.default.temporaryDirectory.appending(path: "shop-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Other.storekit")
    let text = #"""
      {"version": {"major": 4, "minor": 0}, "identifier": "0", "settings": {"_askToBuyEnabled": true}, "products": [
        {"productID": "other.thing", "type": "NonConsumable", "displayPrice": "1.00", "internalID": "1",
         "familyShareable": false, "localizations": [], "referenceName": "Thing"}]}
      """#
    try Data(text.utf8).write(to: file)
    let other = try SKTestSession(contentsOf: file)
    #expect(other.allTransactions().isEmpty)
    #expect(other.askToBuyEnabled)
    #expect(try await Product.products(for: ["other.thing", Shop.coins]).map(\.id) == ["other.thing"])
  }

  @Test func listenerOfAnEarlierTestDoesNotTakeWhatTheNextWaitsFor() async throws {
    // It listens on, as one that its test forgot.
    let leaked = await ListeningApp()
    try await session.buyProduct(identifier: Shop.coins)
    _ = await leaked.first(1)
    session.clearTransactions()
    let transaction = try await session.buyProduct(identifier: Shop.lifetime, options: [])
    var updates = Transaction.updates.makeAsyncIterator()
    // Unless the forgotten one has finished it by then, in which case there is nothing left to deliver.
    if await Shop.unfinished() == [Shop.lifetime] {
      #expect(await updates.next()?.unsafePayloadValue.id == transaction.id)
    }
    #expect(await leaked.first(2)[1].id == transaction.id)
  }
}
