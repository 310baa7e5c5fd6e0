import ClientNode
import Shared
import Testing
import Wire

/// Both positions of the habits of `Transaction.updates`, between a store and its phones.
struct UpdateHabitTests {
  /// Apple developer forums 816320.
  @Test(arguments: [0, 2]) func duplicateDeliveriesComeAfterTheirDelay(copies: Int) throws {
    let town = try Town(habits: "duplicateDeliveries=\(copies),duplicateDelay=15000")
    let bought = try town.buy(.yearly, on: "a").transactionId
    #expect(town.updates("a").isEmpty)
    #expect(town.updates("b").map(\.transactionId) == [bought])
    town.run(atMost: 14_000)
    #expect(town.updates("b").count == 1 + min(copies, 1))
    town.run(atMost: 60_000)
    #expect(town.updates("a").count == copies)
    #expect(town.updates("b").count == 1 + copies)
    #expect(try town.unfinished("b").isEmpty)
    // Nothing of it outlives the launch.
    try town.relaunch("b")
    town.run(atMost: 60_000)
    #expect(town.updates("b").isEmpty)
  }

  /// flutter/flutter#171581.
  @Test(arguments: [0, 5_000]) func repeatedUnfinishedComesAgainUntilItIsFinished(interval: Int) throws {
    let town = try Town([:], habits: "repeatedUnfinished=\(interval)")
    try town.open("alice")
    try town.add("a", of: "alice", finishes: false)
    let coins = try #require(try town.buy(.coins, by: "alice"))
    town.forget("a")
    town.run(atMost: 15_000)
    #expect(town.updates("a").count == (interval > 0 ? 3 : 0))
    try town.finish(coins, on: "a")
    town.forget("a")
    town.run(atMost: 15_000)
    #expect(town.updates("a").isEmpty)
  }

  /// Apple developer forums 746629.
  @Test(arguments: [
    ("documented", []), ("purchaseAlsoUpdates", [Item.lifetime, .yearly]), ("subscriptionAlsoUpdates", [.yearly]),
  ])
  func purchaseAlsoUpdatesAnnouncesOwnPurchases(habits: String, announced: [Item]) throws {
    let town = try Town(habits: habits)
    try town.buy(.lifetime, on: "a")
    try town.buy(.yearly, on: "a")
    #expect(town.updates("a").compactMap { Item(id: $0.productId) } == announced)
    #expect(town.updates("b").count == 2)
    // Handed back, nothing happened.
    try town.buy(.lifetime, on: "a")
    #expect(town.updates("a").count == announced.count)
  }
}
