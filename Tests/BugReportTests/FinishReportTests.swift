import ClientNode
import Shared
import Testing
import Wire

/// Public reports about finishing, and about apps that died before it.
struct FinishReportTests {
  /// flutter/flutter#160148, #192400.
  @Test func br18FinishAlwaysReturnsAndIsIdempotent() throws {
    let town = try Town()
    for phone in ["a", "b"] { town.phones[phone]?.finishes = false }
    let coins = try town.buy(.coins, on: "a").transactionId
    let refunded = try town.buy(.lifetime, on: "a").transactionId
    let finishedByB = try town.buy(.weekly, on: "a").transactionId
    try town.refund(.lifetime, of: "alice")
    try town.finish(finishedByB, on: "b")
    town.rest()
    func finishAll() throws {
      for id in [coins, coins, refunded, finishedByB, TransactionID(1)] {
        let before = town.monotonic
        try town.finish(id, on: "a")
        #expect(town.monotonic - before <= 2_500)
      }
    }
    town.letsThrough = { _, request in request != Finish.name }
    try finishAll()
    town.letsThrough = { _, _ in true }
    try town.offline("a")
    try finishAll()
    try town.online("a")
    try finishAll()
    town.run(atMost: 60_000)
    #expect(try town.history(of: "alice").unfinished.isEmpty)
    #expect(try town.all("a").map(\.transactionId) == [refunded, finishedByB])
  }

  /// RevenueCat/purchases-ios#1964, #1965.
  @Test func br19EachPurchaseOfAConsumableIsOneOfItsOwn() throws {
    let town = try Town(["a": "alice"])
    town.phones["a"]?.finishes = false
    let first = try town.buy(.coins, on: "a")
    let second = try town.buy(.coins, on: "a")
    try town.finish(first.transactionId, on: "a")
    try town.finish(second.transactionId, on: "a")
    let third = try town.buy(.coins, on: "a")
    try town.finish(third.transactionId, on: "a")
    town.rest()
    #expect(Set([first, second, third].map(\.transactionId)).count == 3)
    #expect(try town.charges(of: "alice").count == 3)
    #expect(try town.unfinished("a").isEmpty)
  }

  /// russell-archer/StoreHelper#65, qonversion/flutter-sdk#338.
  @Test func br20UnfinishedRenewalsDoNotAnswerForANewPurchase() throws {
    let town = try Town(["a": "alice"])
    town.phones["a"]?.finishes = false
    let first = try town.buy(.basic, on: "a")
    try town.finish(first.transactionId, on: "a")
    try town.advance(months: 5)
    try town.setAutoRenew(.basic, of: "alice", false)
    try town.advance(months: 1)
    #expect(try town.unfinished("a").count == 5)
    #expect(try town.entitled("a").isEmpty)
    for _ in 0..<2 {
      let known = try town.all("a").count
      let bought = try town.buy(.basic, on: "a")
      #expect(try #require(bought.expiresDate) > town.now())
      #expect(bought.originalTransactionId == first.originalTransactionId)
      #expect(try town.all("a").count == known + 1)
      for id in try town.unfinished("a") { try town.finish(id, on: "a") }
      try town.setAutoRenew(.basic, of: "alice", false)
      try town.advance(months: 1)
    }
  }

  /// jamesmontemagno/InAppBillingPlugin#466.
  @Test func br21OnlyFinishTakesAPaidConsumableAway() throws {
    let town = try Town(["a": "alice"])
    town.phones["a"]?.finishes = false
    // The store sells, the answer is lost, and the phone dies.
    town.letsThrough = { [unowned town] phone, request in
      if request == Purchase.name { town.phones[phone]?.isLinkUp = false }
      return true
    }
    _ = try town.begin(.purchase(PurchaseOrder(productId: Item.coins.id)), on: "a")
    town.run()
    town.letsThrough = { _, _ in true }
    let sold = try #require(try town.history(of: "alice").records.first?.transactionId)
    town.phones["a"]?.isLinkUp = true
    try town.reboot("a")
    for _ in 0..<4 {
      #expect(town.updates("a").map(\.transactionId) == [sold])
      _ = try town.call(.products([Item.coins.id]), on: "a")
      _ = try town.entitled("a")
      #expect(try town.all("a").map(\.transactionId) == [sold])
      try town.sync("a")
      #expect(try town.unfinished("a") == [sold])
      #expect(town.updates("a").count == 1)
      try town.relaunch("a")
    }
    try town.finish(sold, on: "a")
    #expect(try town.unfinished("a").isEmpty)
    #expect(try town.all("a").isEmpty)
    #expect(try town.charges(of: "alice").count == 1)
  }

  /// hyochan/flutter_inapp_purchase#584, ecency/vision-mobile#3361; Apple developer forums 787431.
  @Test func br22UnfinishedConsumablesAreUnfinishedAndNeverEntitlements() throws {
    let town = try Town(["a": "alice"])
    town.phones["a"]?.finishes = false
    for item in [Item.coins, .coins, .lifetime] { try town.buy(item, on: "a") }
    try town.offline("a")
    try town.reboot("a")
    for isOnline in [false, true] {
      if isOnline { try town.online("a") }
      #expect(try town.entitled("a") == [.lifetime])
      #expect(try town.unfinished("a").count == 3)
      #expect(try town.all("a").count == 3)
    }
  }

  enum CrashPoint: CaseIterable {
    case beforePost, afterPostBeforeTheAnswer, afterTheAnswerBeforeFinish, duringFinish
  }

  /// RevenueCat/purchases-ios#2243, #2841; qonversion/qonversion-ios-sdk#247.
  @Test(arguments: CrashPoint.allCases)
  func br23AppThatFinishesAfterItsBackendKnowsLosesNothing(point: CrashPoint) throws {
    let town = try Town(["a": "alice"])
    town.phones["a"]?.finishes = false
    var backend = Receiver(statuses: [500, 500])
    let bought = try town.buy(.coins, on: "a").transactionId
    #expect(backend.post(bought) == 500)
    switch point {
    case .beforePost: break
    case .afterPostBeforeTheAnswer, .afterTheAnswerBeforeFinish:
      backend.statuses = []
      #expect(backend.post(bought) == 200)
    case .duringFinish:
      backend.statuses = []
      #expect(backend.post(bought) == 200)
      _ = try town.begin(.finish(bought), on: "a")
      town.letsThrough = { _, request in request != Finish.name }
      town.run()
    }
    try town.reboot("a")
    town.letsThrough = { _, _ in true }
    for _ in 0..<3 {
      for transaction in town.updates("a") where backend.post(transaction.transactionId) == 200 {
        try town.finish(transaction.transactionId, on: "a")
      }
      town.run(atMost: 60_000)
      try town.relaunch("a")
    }
    #expect(backend.credited == [bought])
    if point != .beforePost { #expect(backend.told[bought, default: 0] <= 3) }
    #expect(town.updates("a").isEmpty)
    #expect(try town.history(of: "alice").unfinished.isEmpty)
  }

  /// qonversion/qonversion-ios-sdk#741.
  @Test func br24PurchaseStaysUntilTheBackendTookIt() throws {
    let town = try Town(["a": "alice"])
    town.phones["a"]?.finishes = false
    let bought = try town.buy(.lifetime, on: "a").transactionId
    var backend = Receiver(statuses: [401, 401, 401])
    try town.offline("a")
    try town.reboot("a")
    try town.online("a")
    for attempt in 0..<4 {
      let due = town.updates("a")
      #expect(due.map(\.transactionId) == [bought], "attempt \(attempt)")
      for transaction in due where backend.post(transaction.transactionId) == 200 {
        try town.finish(transaction.transactionId, on: "a")
      }
      try town.relaunch("a")
    }
    #expect(backend.credited == [bought] && backend.told[bought] == 4)
    #expect(town.updates("a").isEmpty)
    #expect(try town.unfinished("a").isEmpty)
  }

  /// hyochan/react-native-iap#1514, RevenueCat/purchases-ios#2117.
  @Test func br25LargeBacklogIsFinishedAtOnceWhileOthersAreServed() throws {
    let town = try Town(["b": "bob"])
    try town.open("alice")
    for _ in 0..<600 { try town.ask(Purchase(productId: Item.coins.id), of: town.address(.account, "alice")) }
    let ids = try town.history(of: "alice").records.map(\.transactionId)
    try town.ask(Finish(transactionIds: Array(ids.prefix(400))), of: town.address(.account, "alice"))
    try town.add("c", of: "alice", finishes: false)
    #expect(town.updates("c").map(\.transactionId) == Array(ids.suffix(200)))
    for id in ids.suffix(200) { _ = try town.begin(.finish(id), on: "c") }
    #expect(try town.all("c").count <= 200)
    let before = town.monotonic
    try town.buy(.lifetime, on: "b")
    #expect(town.monotonic - before <= 4_000)
    town.run(atMost: 10_000)
    #expect(try town.unfinished("c").isEmpty)
    #expect(try town.history(of: "alice").unfinished.isEmpty)
    #expect(Set(try town.history(of: "alice").records.map(\.transactionId)).count == 600)
    #expect(town.updates("c").count == 200)
  }
}
