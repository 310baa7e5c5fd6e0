import StoreKit
import StoreKitTest
import XCTest

/// As public suites with XCTest are written: a session in `setUp`, on the store of the process.
final class ClassicSessionTests: XCTestCase {
  private var session: SKTestSession!

  override func setUpWithError() throws {
    try super.setUpWithError()
    session = try SKTestSession(configurationFileNamed: "Shop")
    session.disableDialogs = true
    session.resetToDefaultState()
    session.clearTransactions()
  }

  override func tearDown() {
    session.clearTransactions()
    session = nil
    super.tearDown()
  }

  func testPurchaseInTheAppIsEntitled() async throws {
    let products = try await Product.products(for: ["shop.lifetime"])
    let product = try XCTUnwrap(products.first)
    let result = try await product.purchase()
    guard case .success(.verified(let transaction)) = result else { return XCTFail("not bought: \(result)") }
    await transaction.finish()
    XCTAssertEqual(session.allTransactions().first?.identifier, UInt(transaction.id))
    let entitled = await Shop.entitled()
    XCTAssertEqual(entitled, ["shop.lifetime"])
  }

  func testStoreIsEmptyAfterTheTestBefore() async throws {
    XCTAssertTrue(session.allTransactions().isEmpty)
    let entitled = await Shop.entitled()
    XCTAssertEqual(entitled, [])
    try session.buyProduct(productIdentifier: "shop.pack")
  }

  @MainActor func testListenerHearsOfAPurchaseInTheAppStore() async throws {
    let app = ListeningApp()
    let transaction = try await session.buyProduct(identifier: "shop.coins")
    let heard = await app.first(1)
    XCTAssertEqual(heard.map(\.id), [transaction.id])
  }

  func testSynchronousTestsWork() throws {
    try session.buyProduct(productIdentifier: "shop.monthly")
    try session.expireSubscription(productIdentifier: "shop.monthly")
    XCTAssertEqual(session.allTransactions().count, 1)
  }
}
