import ClientNode
import Shared
import Testing
import Wire

/// Public reports about purchases that wait for a parent.
struct AskToBuyTests {
  private func town() throws -> Town { try Town(["c1": "child", "c2": "child"], asksToBuy: ["child"]) }

  /// expo/expo#13420, RevenueCat/purchases-ios#273, #296, apphud/ApphudSDK#68.
  @Test func br32PendingPurchaseIsNoTransactionAnywhere() throws {
    let town = try town()
    let before = town.monotonic
    #expect(try town.purchase(.lifetime, on: "c1") == .pending)
    #expect(town.monotonic - before < 1_000)
    for _ in 0..<2 {
      try town.relaunch("c1")
      for phone in ["c1", "c2"] {
        #expect(try town.all(phone).isEmpty)
        #expect(try town.unfinished(phone).isEmpty)
        #expect(try town.entitled(phone).isEmpty)
        #expect(town.updates(phone).isEmpty)
      }
    }
    #expect(try town.charges(of: "child").isEmpty)
  }

  /// danielsaidi/StoreKitPlus#3.
  @Test func br33DeclineIsSilentAndTheNextRequestStandsAlone() throws {
    let town = try town()
    #expect(try town.purchase(.lifetime, on: "c1") == .pending)
    try town.answerAskToBuy(.lifetime, of: "child", approve: false)
    try town.advance(hours: 48)
    #expect(town.updates("c1").isEmpty && town.updates("c2").isEmpty)
    #expect(throws: WireError.self) { try town.answerAskToBuy(.lifetime, of: "child", approve: true) }
    #expect(try town.purchase(.lifetime, on: "c1") == .pending)
    try town.advance(hours: 1)
    let approved = try town.now()
    try town.answerAskToBuy(.lifetime, of: "child", approve: true)
    for phone in ["c1", "c2"] {
      #expect(town.updates(phone).count == 1)
      #expect(town.updates(phone).first?.purchaseDate == approved)
    }
    #expect(try town.charges(of: "child").count == 1)
  }

  /// Developers' retelling of Apple's description of the deferred state.
  @Test func br34RequestRunsOutAfterADayAndARepeatBeginsItAnew() throws {
    let inTime = try town()
    #expect(try inTime.purchase(.lifetime, on: "c1") == .pending)
    try inTime.advance(hours: 23, minutes: 59)
    try inTime.answerAskToBuy(.lifetime, of: "child", approve: true)
    #expect(try inTime.charges(of: "child").count == 1)

    let late = try town()
    #expect(try late.purchase(.lifetime, on: "c1") == .pending)
    try late.advance(hours: 24, minutes: 1)
    #expect(throws: WireError.self) { try late.answerAskToBuy(.lifetime, of: "child", approve: true) }
    #expect(try late.charges(of: "child").isEmpty)
    #expect(try late.purchase(.lifetime, on: "c1") == .pending)
    try late.answerAskToBuy(.lifetime, of: "child", approve: true)
    #expect(try late.charges(of: "child").count == 1)

    let repeated = try town()
    #expect(try repeated.purchase(.lifetime, on: "c1") == .pending)
    try repeated.advance(hours: 20)
    #expect(try repeated.purchase(.lifetime, on: "c2") == .pending)
    try repeated.advance(hours: 10)
    try repeated.answerAskToBuy(.lifetime, of: "child", approve: true)
    #expect(try repeated.charges(of: "child").count == 1)
    for phone in ["c1", "c2"] { #expect(repeated.updates(phone).count == 1) }
  }
}
