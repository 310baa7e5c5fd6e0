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

  /// As StoreKit Testing in Xcode signs, and verified like everything else.
  @Test func whatIsSignedIsXcodes() async throws {
    let session = try Shop.session()
    try await session.buyProduct(identifier: Shop.monthly)
    let result = try #require(await Transaction.latest(for: Shop.monthly))
    let transaction = try result.payloadValue
    #expect(transaction.environment == .xcode && !transaction.isUpgraded)
    let status = try #require(await transaction.subscriptionStatus)
    let renewal = try status.renewalInfo.payloadValue
    #expect(renewal.environment == .xcode && renewal.renewalDate == transaction.expirationDate)
    let app = try await AppTransaction.shared
    #expect(try app.payloadValue.environment == .xcode && app.payloadValue.appID == nil)

    func object(_ json: Data) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    }
    for header in try [result.headerData, status.renewalInfo.headerData, app.headerData].map(object) {
      #expect(header["kid"] as? String == "Apple_Xcode_Key")
      #expect((header["x5c"] as? [String])?.count == 1)
    }
    let payload = try object(transaction.jsonRepresentation)
    #expect(payload["isUpgraded"] as? Bool == false && payload["deviceVerification"] != nil)
    let milliseconds = try #require(payload["purchaseDate"] as? Double)
    #expect(milliseconds != milliseconds.rounded(), "times are no whole numbers")
    #expect(transaction.purchaseDate == Date(timeIntervalSince1970: milliseconds.rounded(.down) / 1000))
    #expect(try object(app.payloadValue.jsonRepresentation)["requestDate"] != nil)
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
