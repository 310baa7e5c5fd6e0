import Foundation
import StoreKitTest
import Testing

/// What public suites expect of purchases (Apple: SKTestSession.buyProduct(identifier:options:)).
@Suite(.storeKitWorld, .timeLimit(.minutes(1))) struct PurchaseTests {
  private let session: SKTestSession

  init() throws { session = try Shop.session() }

  @Test func boughtProductComesBackAndThroughUpdates() async throws {
    let app = await ListeningApp()
    let transaction = try await session.buyProduct(identifier: Shop.lifetime)
    #expect(transaction.productID == Shop.lifetime)
    #expect(transaction.environment == .xcode)
    #expect(await app.first(1).map(\.id) == [transaction.id])
    #expect(await Shop.entitled() == [Shop.lifetime])
  }

  @Test func whatWasBoughtBeforeAnybodyListensIsNotLost() async throws {
    let transaction = try await session.buyProduct(identifier: Shop.coins)
    let app = await ListeningApp()
    #expect(await app.first(1).map(\.id) == [transaction.id])
  }

  @Test func purchaseCanBeBackdatedAndNamesItsUser() async throws {
    let past = Date(timeIntervalSince1970: 1_700_000_000)
    let user = UUID()
    try await session.buyProduct(
      identifier: Shop.lifetime, options: [.purchaseDate(past), .appAccountToken(user)])
    let latest = try #require(await Transaction.latest(for: Shop.lifetime)).payloadValue
    #expect(latest.purchaseDate == past)
    #expect(latest.appAccountToken == user)
  }

  @Test func backdatedSubscriptionHasRenewedUntilNow() async throws {
    let past = Date().addingTimeInterval(-100 * 86_400)
    let first = try await session.buyProduct(identifier: Shop.cloud, options: [.purchaseDate(past)])
    #expect(session.allTransactions().count == 15)
    let current = try #require(await Transaction.latest(for: Shop.cloud)).payloadValue
    #expect(current.originalID == first.id)
    #expect(try #require(current.expirationDate) > Date())
    #expect(await Shop.entitled() == [Shop.cloud])
  }

  @Test func backdatedSubscriptionThatWasCancelledIsOver() async throws {
    let past = Date().addingTimeInterval(-100 * 86_400)
    try await session.buyProduct(
      identifier: Shop.cloud, options: [.purchaseDate(past, renewalBehavior: .cancelImmediately)])
    #expect(session.allTransactions().count == 1)
    #expect(await Shop.entitled() == [])
    #expect(try await Shop.state(Shop.cloud) == .expired)
  }

  @Test func transactionsAreListedOnce() async throws {
    session.clearTransactions()
    #expect(session.allTransactions().isEmpty)
    let transaction = try await session.buyProduct(identifier: Shop.coins)
    let listed = session.allTransactions()
    #expect(listed.map(\.identifier) == [UInt(transaction.id)])
    #expect(listed.first?.productIdentifier == Shop.coins)
    #expect(listed.first?.state == .purchased)
    #expect(listed.first?.cancelDate == nil)
    #expect(listed.first?.pendingAskToBuyConfirmation == false)
  }

  @Test func ownedNonConsumableIsNotBoughtTwice() async throws {
    let first = try #require(try await Shop.buyInApp(Shop.lifetime))
    let second = try #require(try await Shop.buyInApp(Shop.lifetime))
    #expect(first.id == second.id)
    #expect(try await session.buyProduct(identifier: Shop.lifetime).id == first.id)
    #expect(session.allTransactions().count == 1)
  }

  @Test func relaunchedStoreReadsWhatIsOwned() async throws {
    try await Shop.buyInApp(Shop.pack)
    #expect(await Shop.entitled() == [Shop.pack])
  }

  @Test func onlyKnownProductsAreLoaded() async throws {
    let products = try await Product.products(for: [Shop.coins, "shop.unknown"])
    #expect(products.map(\.id) == [Shop.coins])
  }

  @Test func unknownProductIsRefusedByName() async throws {
    let error = await #expect(throws: SKTestError.self) {
      try await session.buyProduct(identifier: "shop.unknown")
    }
    #expect(error?.code == .invalidProductIdentifier)
    #expect(error?.description.contains("shop.unknown") == true)
    #expect((error as NSError?)?.domain == SKTestErrorDomain)
  }

  @Test func quantityThatIsTooLargeIsAPurchaseError() async throws {
    await #expect(throws: Product.PurchaseError.invalidQuantity) {
      try await session.buyProduct(identifier: Shop.coins, options: [.quantity(11)])
    }
    #expect(try await session.buyProduct(identifier: Shop.coins, options: [.quantity(3)]).purchasedQuantity == 3)
  }

  @Test func offersAreRedeemedByName() async throws {
    let coded = try await session.buyProduct(
      identifier: Shop.monthly, options: [.codeOffer(referenceName: "Welcome")])
    #expect(coded.offer?.type == .code)
    #expect(coded.offer?.id == "welcome")
    try session.expireSubscription(productIdentifier: Shop.monthly)
    let promoted = try await session.buyProduct(identifier: Shop.monthly, options: [.promotionalOffer(id: "loyal")])
    #expect(promoted.offer?.type == .promotional)
    #expect(promoted.offer?.id == "loyal")
  }

  @Test func deprecatedPurchaseBuysToo() async throws {
    try session.buyProduct(productIdentifier: Shop.lifetime)
    #expect(await Shop.entitled() == [Shop.lifetime])
  }

  @Test func deprecatedFailuresFailPurchases() async throws {
    session.failureError = .paymentNotAllowed
    session.failTransactionsEnabled = true
    let product = try await Shop.product(Shop.coins)
    await #expect(throws: Product.PurchaseError.purchaseNotAllowed) { _ = try await product.purchase() }
    session.failTransactionsEnabled = false
    #expect(try await Shop.buyInApp(Shop.coins) != nil)
  }
}
