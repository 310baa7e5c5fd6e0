@testable import ClientNode
import Foundation
import Shared
import Testing
import Wire

/// Both positions of the habits of the store, how they change, and the profile `field` as a whole.
struct StoreHabitTests {
  /// Apple developer forums 723126.
  @Test(arguments: [false, true]) func unfinishedAnswersPurchaseInsteadOfANewOne(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "unfinishedAnswersPurchase=\(isOn)")
    town.phones["a"]?.finishes = false
    let first = try town.buy(.coins, on: "a").transactionId
    #expect((try town.buy(.coins, on: "a").transactionId == first) == isOn)
    #expect(try town.charges(of: "alice").count == (isOn ? 1 : 2))
    for id in try town.unfinished("a") { try town.finish(id, on: "a") }
    #expect(try town.buy(.coins, on: "a").transactionId != first)
  }

  @Test(arguments: [false, true]) func declinedAskToBuyBuysWithoutAsking(isOn: Bool) throws {
    let town = try Town(
      ["a": "alice"], asksToBuy: ["alice"], habits: "declinedAskToBuyBuys=\(isOn)")
    #expect(try town.purchase(.lifetime, on: "a") == .pending)
    try town.answerAskToBuy(.lifetime, of: "alice", approve: false)
    #expect(town.updates("a").count == (isOn ? 1 : 0))
    #expect(try town.entitled("a") == (isOn ? [.lifetime] : []))
    #expect(throws: WireError.self) { try town.answerAskToBuy(.lifetime, of: "alice", approve: true) }
  }

  @Test(arguments: [false, true]) func deviceBoundJWSGivesEachDeviceBytesOfItsOwn(isOn: Bool) throws {
    let town = try Town(habits: "deviceBoundJWS=\(isOn)")
    try town.buy(.weekly, by: "alice")
    let copies = try ["a", "b"].map { try #require(try town.query(.all, on: $0).first) }
    #expect(copies.allSatisfy { $0.failure == nil })
    #expect((copies[0].jws == copies[1].jws) == !isOn)
    // What is stored is good after a restart too, whatever the world does by then.
    try town.set(habits: "deviceBoundJWS=\(!isOn)")
    try town.reboot("a")
    #expect(try town.query(.all, on: "a").map(\.failure) == [nil])
    // A change is signed anew.
    try town.refund(.weekly, of: "alice")
    #expect(try town.query(.all, on: "a").first?.jws != copies[0].jws)
  }

  @Test func sharedCopiesServePhonesOfOneNodeAndLateComers() throws {
    let town = try Town(habits: "deviceBoundJWS=off")
    try town.buy(.weekly, by: "alice")
    try town.add("c", of: "alice")
    let bytes = try ["a", "b", "c"].map { try town.query(.all, on: $0).map(\.jws) }
    #expect(Set(bytes).count == 1)
    #expect(try town.query(.all, on: "c").map(\.failure) == [nil])
  }

  @Test(arguments: [false, true]) func unknownRawValuesAreSignedAndVerified(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "unknownRawValues=\(isOn)")
    try town.buy(.lifetime, on: "a")
    let copy = try #require(try town.query(.currentEntitlements, on: "a").first)
    #expect(copy.failure == nil)
    let payload = String(decoding: try CompactJWS(copy.jws).payloadData, as: UTF8.self)
    #expect(payload.contains(#""ASSIGNED""#) == isOn)
    #expect(payload.contains(#""GRANT""#) == isOn)
    #expect(try town.entitled("a") == [.lifetime])
  }

  // MARK: Changing them

  @Test func changeReachesEveryPhoneAtOnceEvenWithoutTheirWayToTheStore() throws {
    let town = try Town()
    try town.buy(.lifetime, on: "a")
    town.phones["b"]?.isLinkUp = false
    try town.set(habits: "field,lateListing=5")
    for phone in ["a", "b"] {
      #expect(town.phones[phone]?.core.habits.lateListing == 5)
      #expect(town.phones[phone]?.core.devices[phone]?.habits.duplicateDeliveries == 2)
    }
    let world = try town.ask(DescribeWorld(), of: town.address(.world, Town.world))
    #expect(world.habits?.lateListing == 5)
    // It is on the phone's disk, too.
    try town.reboot("b", launches: false)
    #expect(town.phones["b"]?.core.devices["b"]?.habits.lateListing == 5)
    try town.set(habits: "documented")
    #expect(town.phones["a"]?.core.habits == Habits())
  }

  @Test func phoneThatWasAwayLearnsOfAChangeWhenItComesBack() throws {
    let town = try Town()
    try town.kill("b")
    town.phones["b"]?.isLinkUp = false
    let disk = town.phones["b"]?.disk
    try town.set(habits: "lateListing=5")
    town.phones["b"]?.disk = disk ?? StoredNode()
    town.phones["b"]?.isLinkUp = true
    try town.reboot("b")
    #expect(town.phones["b"]?.core.habits.lateListing == 5)
  }

  // MARK: The field

  /// Everything awkward at once: in the end phones and store agree all the same.
  @Test func fieldProfileAgreesInTheEnd() throws {
    let town = try Town(["a": "alice", "b": "alice"], habits: "field")
    try town.buy(.lifetime, on: "a")
    try town.buy(.yearly, on: "b")
    try town.kill("b")
    try town.advance(days: 400)
    try town.refund(.lifetime, of: "alice")
    try town.launch("b")
    try town.relaunch("a")
    town.run(atMost: 60_000)
    for phone in ["a", "b"] {
      #expect(try town.entitled(phone) == [.yearly])
      #expect(try town.unfinished(phone).isEmpty)
      #expect(try town.statuses(of: phone).map(\.status) == [.subscribed])
    }
    #expect(try town.history(of: "alice").unfinished.isEmpty)
    #expect(town.updates("b").contains { $0.revocation != nil })
  }
}
