import ClientNode
import Shared
import Testing
import Wire

/// Public reports about phones without a network, caches and accounts.
struct OfflineTests {
  /// reddit r/iOSProgramming 1kxh5gj.
  @Test func br49PurchasesOutliveOfflineLaunchesUntilTheyExpire() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.yearly, on: "a")
    try town.buy(.lifetime, on: "a")
    // Past the free week.
    try town.advance(days: 10)
    try town.offline("a")
    for _ in 0..<3 {
      try town.kill("a")
      try town.launch("a", rests: false)
      let before = town.monotonic
      #expect(try Set(town.entitled("a")) == [.yearly, .lifetime])
      #expect(town.monotonic - before < 100)
    }
    try town.reboot("a")
    #expect(try Set(town.entitled("a")) == [.yearly, .lifetime])
    try town.advance(days: 30)
    #expect(try Set(town.entitled("a")) == [.yearly, .lifetime])
    try town.advance(days: 400)
    #expect(try town.entitled("a") == [.lifetime])
    #expect(town.updates("a").isEmpty)
    try town.online("a")
    #expect(try Set(town.entitled("a")) == [.yearly, .lifetime])
    #expect(town.updates("a").count == 1)
  }

  /// superwall/Superwall-iOS#506, #525.
  @Test func br50ColdStartOverABadNetworkNeverReadsEmpty() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.yearly, on: "a")
    var random = SplitMix64(seed: 50)
    for round in 0..<40 {
      let loss = Int.random(in: 0...80, using: &random)
      town.letsThrough = { _, _ in Int.random(in: 0..<100, using: &random) >= loss }
      town.phones["a"]?.isLinkUp = round % 4 != 0
      if round % 2 == 0 { try town.reboot("a", launches: false) } else { try town.kill("a") }
      try town.launch("a", rests: false)
      #expect(try town.entitled("a") == [.yearly], "round \(round)")
      town.phones["a"]?.isLinkUp = true
    }
    town.letsThrough = { _, _ in true }
    try town.refund(.yearly, of: "alice")
    try town.reboot("a", launches: false)
    try town.launch("a", rests: false)
    #expect(try town.entitled("a").isEmpty)
  }

  /// superwall/Superwall-iOS#519, #522.
  @Test func br51LocalReadsDoNotWaitForAStoreThatNeverAnswers() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.yearly, on: "a")
    town.phones["a"]?.isLinkUp = false
    try town.relaunch("a")
    town.run(atMost: 5_000)
    for _ in 0..<2 {
      let before = town.monotonic
      #expect(try town.entitled("a") == [.yearly])
      #expect(try town.all("a").count == 1)
      #expect(try town.unfinished("a").isEmpty)
      #expect(try town.statuses(of: "a").map(\.status) == [.subscribed])
      #expect(try !town.isEligible("5E1F00D1", on: "a"))
      #expect(town.monotonic - before < 200)
      try town.reboot("a")
    }
    for call in [DaemonCall.products([Item.yearly.id]), .purchase(PurchaseOrder(productId: Item.coins.id)), .sync] {
      let before = town.monotonic
      guard case .failure(.network) = try town.call(call, on: "a") else {
        Issue.record("\(call) did not end with a network error")
        continue
      }
      #expect(town.monotonic - before <= 30_000)
    }
  }

  enum Damage: CaseIterable {
    case everythingGone, halfTheRecords, noCopies, changedCopies, positionAhead
  }

  /// Apple developer forums, feedback FB22556883.
  @Test(arguments: Damage.allCases) func br52DamagedCacheIsHealedByTheStore(damage: Damage) throws {
    let town = try Town(["a": "alice"])
    for item in [Item.lifetime, .weekly, .pass] { try town.buy(item, on: "a") }
    try town.advance(days: 7)
    try town.kill("a")
    var stored = try #require(town.phones["a"]?.disk.devices["a"])
    switch damage {
    case .everythingGone: town.phones["a"]?.disk = StoredNode()
    case .halfTheRecords: stored.records.removeFirst(2)
    case .noCopies: stored.copies = [:]
    case .positionAhead: stored.state.applied.sequence += 100
    case .changedCopies: for subject in stored.copies.keys { stored.copies[subject]?.jws.replace("a", with: "b") }
    }
    if damage != .everythingGone { town.phones["a"]?.disk.devices["a"] = stored }
    try town.reboot("a")
    if damage == .changedCopies {
      #expect(try town.query(.all, on: "a").allSatisfy { $0.failure != nil })
    }
    try town.sync("a")
    let entitlements = try town.query(.currentEntitlements, on: "a")
    #expect(Set(entitlements.map(\.record.productId)) == Set([Item.lifetime, .weekly, .pass].map(\.id)))
    #expect(entitlements.allSatisfy { $0.failure == nil && !$0.jws.isEmpty })
    // What happens from then on arrives.
    town.forget("a")
    try town.advance(days: 7)
    #expect(town.updates("a").count == 1)
  }

  /// Cap-go/capacitor-native-purchases#158, j3k0/cordova-plugin-purchase#842, owncloud/ios-app#571.
  @Test func br54AnotherAccountSeesNothingOfTheFirst() throws {
    let town = try Town(["a": "x"])
    try town.open("y")
    town.phones["a"]?.finishes = false
    let yearly = try town.buy(.yearly, on: "a")
    try town.finish(yearly.transactionId, on: "a")
    let coins = try town.buy(.coins, on: "a")
    #expect(try town.purchase(.lifetime, on: "a", asksToBuy: true) == .pending)
    try town.offline("a")
    try town.kill("a")
    try town.reboot("a", as: "y")
    func seesNothing() throws {
      #expect(try town.all("a").isEmpty)
      #expect(try town.unfinished("a").isEmpty)
      #expect(try town.entitled("a").isEmpty)
      #expect(town.updates("a").isEmpty)
    }
    try seesNothing()
    try town.online("a")
    try seesNothing()
    let pass = try town.buy(.pass, on: "a")
    try town.finish(pass.transactionId, on: "a")
    try town.answerAskToBuy(.lifetime, of: "x", approve: true)
    #expect(try town.all("a").map(\.transactionId) == [pass.transactionId])
    #expect(town.updates("a").isEmpty)

    try town.kill("a")
    try town.reboot("a", as: "x")
    #expect(try Set(town.entitled("a")) == [.yearly, .lifetime])
    let approved = try #require(try town.all("a").last)
    #expect(town.updates("a").map(\.transactionId) == [coins.transactionId, approved.transactionId])
    #expect(try !town.all("a").contains { $0.productId == Item.pass.id })
  }

  /// RevenueCat/purchases-ios#2288.
  @Test func br55TrialEndsOfflineByTheStoresTimeWhateverThePhonesClockSays() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.monthly, on: "a")
    try town.offline("a")
    for days in [-5, 30, 0] {
      town.give("a", .wallClock(Town.start.advanced(by: Int64(days) * 86_400_000)))
      #expect(try town.entitled("a") == [.monthly])
    }
    try town.advance(days: 8)
    for days in [-5, 30, 0] {
      town.give("a", .wallClock(Town.start.advanced(by: Int64(days) * 86_400_000)))
      #expect(try town.entitled("a").isEmpty)
    }
    try town.reboot("a")
    #expect(try town.entitled("a").isEmpty)
    // The store's own schedule went on.
    try town.online("a")
    #expect(try town.entitled("a") == [.monthly])
    #expect(try town.history(of: "alice").records.count == 2)
  }

  /// hyochan/react-native-iap#2890, #2851.
  @Test func br57WhatIsOwnedShowsThoughNobodyLoadedTheProducts() throws {
    let town = try Town()
    try town.buy(.yearly, on: "b")
    try town.reinstall("a")
    #expect(town.requests[GetProducts.name] == nil)
    #expect(try town.entitled("a") == [.yearly])
    #expect(try town.statuses(of: "a").count == 1)
    #expect(try town.all("a").count == 1)
  }
}
