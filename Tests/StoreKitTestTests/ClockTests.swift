import Foundation
import StoreKitTest
import Testing

/// The store's clock, which Apple's sessions do not have.
@Suite(.storeKitWorld, .timeLimit(.minutes(1))) struct ClockTests {
  private let session: SKTestSession

  init() throws { session = try Shop.session() }

  @Test func aYearOfRenewalsNeedsNoWaiting() async throws {
    let app = await ListeningApp()
    try await session.buyProduct(identifier: Shop.monthly)
    try session.clock.advance(by: .seconds(365 * 86_400))
    #expect(session.allTransactions().count == 13)
    #expect(await app.first(13).map(\.productID) == Array(repeating: Shop.monthly, count: 13))
    #expect(await Shop.entitled() == [Shop.monthly])
  }

  @Test func clockStandsStillOnceItWasMoved() async throws {
    try session.clock.stop()
    let now = try session.clock.now
    #expect(try session.clock.now == now)
    try session.clock.advance(by: .seconds(60))
    #expect(try session.clock.now == now.addingTimeInterval(60))
    try session.clock.advance(to: now.addingTimeInterval(90))
    #expect(throws: SKTestError.self) { try session.clock.advance(to: now) }
    let transaction = try await session.buyProduct(identifier: Shop.coins)
    #expect(transaction.purchaseDate == now.addingTimeInterval(90))
    session.resetToDefaultState()
    #expect(try session.clock.now < now.addingTimeInterval(60))
  }

  @Test func nextEventIsTheEndOfTheTrial() async throws {
    let trial = try await session.buyProduct(identifier: Shop.monthly)
    try session.disableAutoRenewForTransaction(identifier: UInt(trial.id))
    try session.clock.advanceToNextEvent()
    #expect(try session.clock.now == trial.expirationDate)
    #expect(try await Shop.state(Shop.monthly) == .expired)
  }
}
