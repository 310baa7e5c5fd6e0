import Foundation
import StoreKitTest
import Testing

/// Families and several devices, which Apple's sessions do not have.
@Suite(.storeKitWorld, .timeLimit(.minutes(1))) struct FamilyTests {
  private let session: SKTestSession

  init() throws { session = try Shop.session() }

  @Test func familyMembersUseWhatIsShared() async throws {
    let kid = try session.family.add("kid")
    try await Shop.buyInApp(Shop.lifetime)
    try await Shop.buyInApp(Shop.pack)
    session.settle()
    #expect(await kid.run { await Shop.entitled() } == [Shop.lifetime])
    let shared = try #require(await kid.run { await Transaction.latest(for: Shop.lifetime) }).payloadValue
    #expect(shared.ownershipType == .familyShared)
    #expect(session.family.members == ["kid"])
    try session.family.remove("kid")
    #expect(await kid.run { await Shop.entitled() } == [])
    #expect(await Shop.entitled() == [Shop.lifetime, Shop.pack])
  }

  @Test func refundReachesTheFamily() async throws {
    let kid = try session.family.add("kid")
    let transaction = try await session.buyProduct(identifier: Shop.lifetime)
    #expect(await kid.run { await Shop.entitled() } == [Shop.lifetime])
    try session.refundTransaction(identifier: UInt(transaction.id))
    #expect(await kid.run { await Shop.entitled() } == [])
  }

  @Test func sharingCanBeTurnedOnAndStopped() async throws {
    let kid = try session.family.add("kid")
    try session.family.turnOnSharing(ofProduct: Shop.pack)
    try await session.buyProduct(identifier: Shop.pack)
    #expect(await kid.run { await Shop.entitled() } == [Shop.pack])
    try session.family.setSharing(false, ofProduct: Shop.pack)
    #expect(await kid.run { await Shop.entitled() } == [])
  }

  @Test func kidsAskToBuy() async throws {
    let kid = try session.family.add("kid", asksToBuy: true)
    let isPending = try await kid.run {
      guard case .pending = try await Shop.product(Shop.coins).purchase() else { return false }
      return true
    }
    #expect(isPending)
    let waiting = try #require(kid.allTransactions().first)
    #expect(session.allTransactions().isEmpty)
    try session.approveAskToBuyTransaction(identifier: waiting.identifier)
    #expect(await kid.run { await Shop.unfinished() } == [Shop.coins])
    #expect(await Shop.unfinished() == [])
  }

  @Test func devicesOfAnAccountShareWhatItOwns() async throws {
    let pad = try session.device("pad")
    #expect(try session.device.name == "phone")
    #expect(session.devices.map(\.name) == ["phone", "pad"])
    let app = await pad.run { await ListeningApp() }
    let transaction = try #require(try await Shop.buyInApp(Shop.lifetime, finishes: false))
    #expect(await app.first(1).map(\.id) == [transaction.id])
    #expect(await pad.run { await Shop.entitled() } == [Shop.lifetime])
  }

  @Test func deviceThatWasOfflineCatchesUp() async throws {
    let pad = try session.device("pad")
    try pad.setOnline(false)
    try await session.buyProduct(identifier: Shop.lifetime)
    #expect(await pad.run { await Shop.entitled() } == [])
    try pad.setOnline(true)
    #expect(await pad.run { await Shop.entitled() } == [Shop.lifetime])
  }

  @Test func clearedStoreHasNoFamily() async throws {
    let kid = try session.family.add("kid")
    try await session.buyProduct(identifier: Shop.lifetime)
    session.clearTransactions()
    #expect(session.family.members.isEmpty)
    #expect(await kid.run { await Shop.entitled() } == [])
    try session.family.add("kid")
    try await session.buyProduct(identifier: Shop.lifetime)
    #expect(await kid.run { await Shop.entitled() } == [Shop.lifetime])
  }

  @Test func namesThatAreTakenOrImpossibleAreRefused() throws {
    #expect(throws: SKTestError.self) { try session.family.add("phone") }
    #expect(throws: SKTestError.self) { try session.device("a/b") }
  }
}
