import Dispatch
import Foundation
import StoreKitTest
import Testing

/// Stores of tests' own, side by side.
@Suite(.storeKitWorld(configurationFileNamed: "Shop"), .timeLimit(.minutes(2))) struct WorldTests {
  @Test(arguments: [Shop.coins, Shop.lifetime, Shop.pack, Shop.season])
  func parallelTestsDoNotSeeEachOther(id: String) async throws {
    let session = try Shop.session()
    #expect(session.allTransactions().isEmpty)
    try await session.buyProduct(identifier: id)
    let seen = await Task.detached { await Shop.unfinished() }.value
    #expect(seen == [id])
    #expect(session.allTransactions().map(\.productIdentifier) == [id])
  }

  @Test func storeOfTheTraitNeedsNoSession() async throws {
    #expect(try await Shop.buyInApp(Shop.lifetime) != nil)
    #expect(await Shop.entitled() == [Shop.lifetime])
    #expect(try await AppTransaction.shared.payloadValue.environment == .xcode)
  }

  /// More callers than threads of Swift's cooperative pool: each blocks one, and none may wait for another.
  @Test func manySynchronousCallsAtOnceDoNotDeadlock() async throws {
    let session = try Shop.session()
    try await session.buyProduct(identifier: Shop.monthly)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          switch number % 4 {
          case 0: session.askToBuyEnabled = number % 8 == 0
          case 1: _ = session.allTransactions()
          case 2: try session.forceRenewalOfSubscription(productIdentifier: Shop.monthly)
          default: _ = try session.device("pad-\(number % 3)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(session.allTransactions().count == 17)
  }

  /// Without waiting for anything: a store, its certificates and its device take a few milliseconds of work. The bound
  /// leaves room for a machine that does ten other things.
  @Test func storesOpenFast() throws {
    let times = try (0..<5).map { _ in try ContinuousClock().measure { _ = try TestWorldOpening.open() } }
    #expect(try #require(times.min()) < .milliseconds(500))
    print("a store with its device opens in \(times.map { "\($0)" }.joined(separator: ", "))")
  }
}
