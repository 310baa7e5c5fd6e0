import Foundation
import Testing

@testable import StoreKitTest

/// StoreKit calls before the first session: XCTest makes all test cases, with their properties, before it runs one. In
/// processes of their own, where no other test has opened a session.
@Suite(.timeLimit(.minutes(1))) struct FirstCallTests {
  @Test func listenerThatBeginsBeforeTheFirstSessionHearsOfPurchases() async {
    await #expect(processExitsWith: .success) {
      let app = await ListeningApp()
      #expect(await Shop.entitled() == [])
      #expect(try await Product.products(for: [Shop.lifetime]).isEmpty)
      let session = try Shop.session()
      try await session.buyProduct(identifier: Shop.lifetime)
      #expect(await app.first(1).map(\.productID) == [Shop.lifetime])
    }
  }

  @Test func amongTestsWithStoresOfTheirOwnNobodyFindsAnEmptyOne() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let world = try TestWorldOpening.open()
      _ = (AppStore.canMakePayments, world)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("StoreKit was called where no device runs"))
  }
}
