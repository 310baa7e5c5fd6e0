import Foundation
import StoreKitTest
import Testing

/// What code does that runs before a test has opened a session: in a process of its own, since sessions stay.
@Suite(.timeLimit(.minutes(2))) struct BeforeASessionTests {
  @Test func callsFindNothingAndTheTestsGoOn() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      #expect(await Shop.entitled() == [])
      await #expect(throws: StoreKitError.self) { try await Product.products(for: [Shop.lifetime]) }
      let session = try Shop.session()
      try await session.buyProduct(identifier: Shop.lifetime)
      #expect(await Shop.entitled() == [Shop.lifetime])
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.components(separatedBy: "open an SKTestSession first").count == 2, "\(text)")
  }

  /// Such as that of a singleton, which lives longer than any session.
  @Test func aListenerHearsOfTheSessionThatIsOpenedAfterIt() async {
    await #expect(processExitsWith: .success) {
      let app = await ListeningApp()
      let session = try Shop.session()
      let transaction = try await session.buyProduct(identifier: Shop.lifetime)
      #expect(await app.first(1).map(\.id) == [transaction.id])
      session.settle()
      #expect(await Shop.unfinished() == [])
    }
  }
}
