import ClientNode
import Shared
import Testing
import Wire

/// Public reports about what happens while a sheet is up, a purchase is interrupted, or the network is bad.
struct HoldUpTests {
  private func purchase(_ item: Item) -> DaemonCall { .purchase(PurchaseOrder(productId: item.id)) }

  private func isCancelled(_ result: Result<DaemonAnswer, DaemonError>?) -> Bool {
    if case .success(.purchase(.userCancelled))? = result { true } else { false }
  }

  /// hyodotdev/openiap#152, #153: one buy, several answers.
  @Test func br01SecondTapWhileTheSheetIsUpBuysWhatIsOwnedOnce() throws {
    let town = try Town()
    try town.hold(.purchase, on: "a")
    let taps = [try town.begin(purchase(.lifetime), on: "a"), try town.begin(purchase(.lifetime), on: "a")]
    town.rest()
    #expect(try town.history(of: "alice").records.isEmpty)
    try town.release(.purchase, on: "a", count: 1)
    #expect(taps.map { town.phones["a"]?.answers[$0] != nil } == [true, false])
    try town.release(.purchase, on: "a")
    let bought = try taps.map { tap -> TransactionID in
      guard case .purchase(.success(let element))? = try town.phones["a"]?.answers[tap]?.get() else {
        throw Unexpected(what: "no transaction")
      }
      return element.record.transactionId
    }
    #expect(Set(bought).count == 1)
    #expect(town.updates("a").isEmpty)
    #expect(town.updates("b").map(\.transactionId) == [bought[0]])
    #expect(try town.charges(of: "alice").count == 1)
  }

  /// The same with the sheet put away after the second tap: nothing is bought, and nothing is left over.
  @Test func br01SheetThatIsPutAwayLeavesNothing() throws {
    let town = try Town()
    try town.hold(.purchase, on: "a")
    let taps = [try town.begin(purchase(.coins), on: "a"), try town.begin(purchase(.coins), on: "a")]
    town.run()
    try town.release(.purchase, on: "a", cancels: true)
    #expect(taps.allSatisfy { isCancelled(town.phones["a"]?.answers[$0]) })
    try town.relaunch("a")
    #expect(try town.unfinished("a").isEmpty)
    #expect(try town.history(of: "alice").records.isEmpty)
  }

  /// stackoverflow.com/questions/73530849, with a network that loses the message.
  @Test func br09RenewalThatTheNetworkLosesIsNoticedAndComesOnce() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.weekly, on: "a")
    for renewal in 1...8 {
      if renewal == 5 { try town.network(.init(events: .init(drop: 100, next: 1)), of: "a") }
      try town.advance(days: 7)
    }
    let all = try town.all("a")
    #expect(all.count == 9)
    #expect(town.updates("a").map(\.transactionId) == all.dropFirst().map(\.transactionId))
  }

  /// jamesmontemagno/InAppBillingPlugin#466: the app dies between the sale and its answer.
  @Test func br21SaleWhoseAnswerNeverCameIsThereAtTheNextLaunchOnce() throws {
    let town = try Town(["a": "alice", "b": "alice"])
    town.phones["a"]?.finishes = false
    town.phones["b"]?.finishes = false
    try town.hold(.purchaseResult, on: "a")
    let call = try town.begin(purchase(.coins), on: "a")
    town.run(atMost: 60_000)
    #expect(town.phones["a"]?.answers[call] == nil)
    let sold = try #require(try town.history(of: "alice").records.first?.transactionId)
    #expect(town.updates("a").isEmpty)
    try town.kill("a")
    try town.release(.purchaseResult, on: "a")
    for _ in 0..<3 {
      try town.launch("a")
      #expect(town.updates("a").map(\.transactionId) == [sold])
      #expect(try town.unfinished("a") == [sold])
      try town.kill("a")
    }
    #expect(town.updates("b").map(\.transactionId) == [sold])
    #expect(try town.charges(of: "alice").count == 1)
  }

  /// woocommerce/woocommerce-ios#10086; Apple: Testing an interrupted purchase.
  @Test(arguments: ["world", "account", "device"])
  func interruptedPurchaseIsPendingAndComesOnceThroughTheListener(place: String) throws {
    let town = try Town()
    let address =
      switch place {
      case "world": town.address(.world, Town.world)
      case "account": town.address(.account, "alice")
      default: town.address(.device, "a")
      }
    try town.ask(SetInterruptedPurchases(on: true), of: address)
    #expect(try town.purchase(.lifetime, on: "a") == .pending)
    town.rest()
    for phone in ["a", "b"] {
      #expect(try town.all(phone).isEmpty)
      #expect(town.updates(phone).isEmpty)
    }
    try town.relaunch("a")
    try town.ask(SetInterruptedPurchases(on: false), of: address)
    let waiting = try town.ask(ListPendingPurchases(), of: town.address(.account, "alice")).purchases
    #expect(waiting.map(\.productId) == [Item.lifetime.id])
    try town.ask(ResolveIssue(), of: town.address(.account, "alice"))
    town.rest()
    for phone in ["a", "b"] {
      #expect(town.updates(phone).map(\.productId) == [Item.lifetime.id])
      #expect(try town.entitled(phone) == [.lifetime])
    }
    #expect(try town.purchase(.coins, on: "a") != .pending)
    #expect(try town.charges(of: "alice").count == 2)
  }

  /// superwall/Superwall-iOS#519, #522: what is local stays fast while every message takes its time.
  @Test func br51SlowNetworkHoldsUpPurchasesAndNoLocalRead() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.yearly, on: "a")
    try town.network(.init(latency: .init(from: 2_000, to: 4_000), seed: 51), of: "a")
    let before = town.monotonic
    #expect(try town.entitled("a") == [.yearly])
    #expect(try town.all("a").count == 1)
    #expect(town.monotonic - before < 200)
    guard case .success = try town.purchase(.coins, on: "a") else {
      Issue.record("no purchase")
      return
    }
    #expect(town.monotonic - before >= 4_000)
    #expect(try town.charges(of: "alice").count == 2)
  }

  /// superwall/Superwall-iOS#506, #525, and everything else that is wrong with networks, on a few seeds.
  @Test(arguments: UInt64(1)...6) func br50BadNetworkNeverReadsEmptyAndEndsInAgreement(seed: UInt64) throws {
    let town = try Town()
    var random = SplitMix64(seed: seed)
    try town.buy(.yearly, on: "a")
    for phone in ["a", "b"] {
      let faults = NetworkFaults(
        latency: .init(from: 0, to: 1_500), events: .init(drop: 30, duplicate: 30, delay: 30, reorder: 30),
        requests: .init(drop: 30, dropReplies: 30), seed: random.next())
      try town.network(faults, of: phone)
      try town.network(faults, ofNode: phone)
    }
    var taps = 0
    for _ in 0..<8 {
      let phone = Bool.random(using: &random) ? "a" : "b"
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        _ = try town.begin(purchase(.coins), on: phone)
        taps += 1
      case 1: try town.buy(.pass, by: "alice")
      default: try town.relaunch(phone)
      }
      town.run(atMost: Int64.random(in: 0...4_000, using: &random))
      #expect(try town.entitled("a").contains(.yearly))
    }
    for phone in ["a", "b"] {
      try town.network(nil, of: phone)
      try town.network(nil, ofNode: phone)
    }
    town.run(atMost: 60_000)
    try town.ask(Settle(), of: town.address(.world, Town.world))
    let truth = try town.history(of: "alice")
    for phone in ["a", "b"] {
      #expect(try town.entitlements(phone).map(\.transactionId) == truth.currentEntitlements().map(\.transactionId))
      #expect(try town.unfinished(phone) == truth.unfinished.map(\.transactionId))
    }
    #expect(truth.records.count { $0.productId == Item.coins.id } <= taps, "nothing is sold twice")
  }
}
