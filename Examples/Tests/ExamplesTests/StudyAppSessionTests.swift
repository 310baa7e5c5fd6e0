import Foundation
import StoreKitTest
import Testing

@testable import StudyApp

/// The store without its app, with a clock that the test sets.
@MainActor @Suite(.storeKitWorld, .timeLimit(.minutes(1)))
struct StudyAppSessionTests {
  private let session: SKTestSession

  init() throws { session = try Stage.session() }

  @Test func whatWasBoughtBeforeTheLaunchIsThereAndFinished() async throws {
    try await session.buyProduct(identifier: Stage.lifetime)
    let store = StoreManager()
    await until(store.$owned) { $0 == [Stage.lifetime] }
    try await store.buy(Stage.season)
    #expect(store.owned == [Stage.lifetime, Stage.season])
    let transaction = try #require(session.allTransactions().first { $0.productIdentifier == Stage.lifetime })
    try session.refundTransaction(identifier: transaction.identifier)
    await until(store.$owned) { $0 == [Stage.season] }
  }

  @Test func thirtyDaysAreCountedOnTheClockOfTheTest() async throws {
    var days = 0.0
    let store = StoreManager(now: { Date(timeIntervalSinceNow: days * 86_400) })
    try await store.buy(Stage.monthly)
    #expect(store.showsOnboarding)
    days = 29
    #expect(store.showsOnboarding)
    days = 31
    #expect(!store.showsOnboarding)
  }
}
