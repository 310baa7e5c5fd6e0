import ClientNode
import Shared
import Testing
import Wire

/// Public reports of a transaction that arrived more often than it happened.
struct DuplicateEmissionTests {
  /// hyodotdev/openiap#152, woocommerce/woocommerce-ios#8121.
  @Test func br01PurchaseComesBackFromTheCallAloneAndOnOtherPhonesFromTheListener() throws {
    let town = try Town()
    town.phones["a"]?.finishes = false
    let bought = try town.buy(.yearly, on: "a")
    #expect(town.updates("a").isEmpty)
    #expect(town.updates("b").map(\.transactionId) == [bought.transactionId])
    // The app is done with it at last: nothing follows.
    try town.finish(bought.transactionId, on: "a")
    town.rest()
    #expect(town.updates("a").isEmpty)
    #expect(town.updates("b").count == 1)
    #expect(try town.history(of: "alice").records.count == 1)
  }

  /// Apple developer forums 816320.
  @Test func br02SyncingTellsNothingThatDidNotChange() throws {
    let town = try Town(["a": "alice"])
    let bought = try town.buy(.weekly, on: "a")
    for _ in 0..<3 {
      try town.sync("a")
      try town.offline("a")
      try town.advance(seconds: 20)
      try town.online("a")
    }
    #expect(town.updates("a").isEmpty)
    try town.refund(.weekly, of: "alice")
    try town.sync("a")
    #expect(town.updates("a").map(\.transactionId) == [bought.transactionId])
    #expect(town.updates("a").first?.revocation != nil)
  }

  /// flutter/flutter#171581.
  @Test func br03WhatWasFinishedStaysFinishedThoughThePhoneDiesAtOnce() throws {
    let town = try Town(["a": "alice"])
    town.phones["a"]?.finishes = false
    let first = try town.buy(.monthly, on: "a")
    // The store never hears of it before the phone dies.
    town.letsThrough = { _, request in request != Finish.name }
    try town.finish(first.transactionId, on: "a")
    try town.reboot("a")
    #expect(try town.unfinished("a").isEmpty)
    #expect(town.updates("a").isEmpty)

    town.letsThrough = { _, _ in true }
    let before = town.monotonic
    guard case .success(let second) = try town.purchase(.weekly, on: "a") else {
      Issue.record("no second purchase")
      return
    }
    #expect(town.monotonic - before < 1_000)
    #expect(try town.unfinished("a") == [second.record.transactionId])
    town.run(atMost: 30_000)
    try town.relaunch("a")
    #expect(town.updates("a").map(\.transactionId) == [second.record.transactionId])
    #expect(try town.history(of: "alice").unfinished.map(\.transactionId) == [second.record.transactionId])
  }

  /// RevenueCat/purchases-ios#6357, flutter/flutter#171941.
  @Test func br04BuyingWhatRunsIsNoNewSale() throws {
    let town = try Town()
    let bought = try town.buy(.yearly, on: "a")
    town.forget("a", "b")
    for phone in ["a", "b"] {
      guard case .success(let again) = try town.purchase(.yearly, on: phone) else {
        Issue.record("\(phone): no transaction")
        continue
      }
      #expect(again.record.transactionId == bought.transactionId)
      #expect(again.record.purchaseDate == bought.purchaseDate)
      town.rest()
      #expect(try town.all(phone).count == 1)
      #expect(try town.unfinished(phone).isEmpty)
    }
    #expect(town.updates("a").isEmpty && town.updates("b").isEmpty)
    #expect(try town.charges(of: "alice").count == 1)
  }

  /// emerytech/couchside#315.
  @Test(arguments: [true, false]) func br05FinishThatKeepsFailingIsTriedSeldomAndTheAppHearsOnce(isLost: Bool) throws {
    let town = try Town()
    let bought = try town.buy(.lifetime, on: "b")
    town.phones["a"]?.finishes = false
    town.phones["b"]?.finishes = false
    let coins = try town.buy(.coins, on: "b")
    #expect(town.updates("a").map(\.transactionId) == [bought.transactionId, coins.transactionId])
    if isLost { town.letsThrough = { _, request in request != Finish.name } } else { town.isDiskFull = true }
    let before = town.requests[Finish.name] ?? 0
    try town.finish(coins.transactionId, on: "a")
    town.run(atMost: 600_000)
    #expect((town.requests[Finish.name] ?? 0) - before < 20)
    #expect(town.updates("a").count == 2)

    town.letsThrough = { _, _ in true }
    town.isDiskFull = false
    town.run(atMost: 120_000)
    #expect(try town.history(of: "alice").unfinished.isEmpty)
    #expect(try town.unfinished("b").isEmpty)
    #expect(town.updates("a").count == 2)
  }

  /// Apple developer forums 821622.
  @Test func br06RestoreDoesNotReplayWhatWasFinished() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.weekly, on: "a")
    for _ in 0..<6 { try town.advance(days: 7) }
    try town.setAutoRenew(.weekly, of: "alice", false)
    try town.advance(days: 7)
    #expect(try town.unfinished("a").isEmpty)
    try town.reinstall("a")
    try town.add("c", of: "alice")
    for phone in ["a", "c"] {
      try town.sync(phone)
      #expect(try town.unfinished(phone).isEmpty)
      #expect(try town.all(phone).count == 7)
      #expect(try town.entitled(phone).isEmpty)
      #expect(town.updates(phone).isEmpty)
    }
  }

  /// RevenueCat/purchases-ios#2053, #2063, #3853.
  @Test func br07TwoListenersEachGetThePurchaseOnce() throws {
    let town = try Town(["b": "alice"])
    // Its first listener finishes at once.
    try town.add("a", of: "alice", listens: 2)
    let bought = try town.buy(.lifetime, on: "b")
    for listener in 0..<2 {
      #expect(town.updates("a", listener: listener).map(\.transactionId) == [bought.transactionId])
    }
    #expect(try town.unfinished("a").isEmpty)
    let third = town.listen(on: "a")
    town.rest()
    #expect(town.heard(third, on: "a").isEmpty)
  }
}
