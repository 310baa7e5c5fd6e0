import ClientNode
import Shared
import Testing
import Wire

/// Both positions of the habits of launches, between a store and its phones.
struct LaunchHabitTests {
  /// hyochan/react-native-iap#2264, hyochan/expo-iap#198, in its first run.
  @Test(arguments: [false, true]) func bufferedReplayWaitsForTheFirstListener(isOn: Bool) throws {
    let town = try Town([:], habits: "bufferedReplay=\(isOn)")
    try town.open("alice")
    for _ in 0..<3 { try town.buy(.coins, by: "alice") }
    try town.add("late", of: "alice", finishes: false, listens: 0)
    town.run(atMost: 30_000)
    try town.buy(.lifetime, by: "alice")
    town.listen(on: "late")
    town.rest()
    #expect(town.updates("late").count == (isOn ? 4 : 0))
    #expect(try town.unfinished("late").count == 4)
    // Live elements go to whoever listens, either way, and nothing comes twice.
    try town.buy(.coins, by: "alice")
    #expect(town.updates("late").count == (isOn ? 5 : 1))
  }

  /// The second run: a listener that reads one element and is cancelled.
  @Test(arguments: [false, true]) func bufferedReplayGoesOnWithTheNextListener(isOn: Bool) throws {
    let town = try Town([:], habits: "bufferedReplay=\(isOn)")
    try town.open("alice")
    for _ in 0..<3 { try town.buy(.coins, by: "alice") }
    try town.add("a", of: "alice", finishes: false)
    let replayed = town.updates("a").map(\.transactionId)
    #expect(replayed.count == 3)
    let first = try #require(town.phones["a"]?.listeners.first)
    town.stopListening(first, on: "a", unread: Array(replayed.dropFirst()))
    town.run(atMost: 30_000)
    let live = try #require(try town.buy(.lifetime, by: "alice"))
    town.listen(on: "a")
    town.rest()
    let rest = isOn ? Array(replayed.dropFirst()) + [live] : []
    #expect(town.updates("a", listener: 1).map(\.transactionId) == rest)
  }

  @Test(arguments: [false, true]) func coldStartEmptyIsEmptyUntilTheStoreHasLoaded(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "coldStartEmpty=\(isOn)")
    try town.buy(.lifetime, on: "a")
    try town.kill("a")
    try town.launch("a", rests: false)
    #expect(try town.entitled("a") == (isOn ? [] : [.lifetime]))
    let before = town.monotonic
    guard case .success(.done) = try town.call(.load, on: "a") else {
      Issue.record("the store did not load")
      return
    }
    #expect((town.monotonic > before) == isOn)
    #expect(try town.entitled("a") == [.lifetime])
  }

  @Test func loadingThrowsOfflineWhenNothingIsStored() throws {
    let town = try Town([:], habits: "coldStartEmpty")
    try town.open("alice")
    try town.add("a", of: "alice", launches: false)
    let world = town.phones["a"]?.disk.world
    town.phones["a"]?.disk = StoredNode(world: world)
    town.phones["a"]?.isLinkUp = false
    try town.reboot("a", launches: false)
    try town.offline("a")
    try town.launch("a", rests: false)
    guard case .failure(.network) = try town.call(.load, on: "a") else {
      Issue.record("an empty store counts as loaded")
      return
    }
    #expect(try town.entitled("a").isEmpty)
  }

  /// reddit r/iOSProgramming 1kxh5gj.
  @Test(arguments: [false, true]) func offlineColdStartEmptyShowsNothingUntilThereWasContact(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "offlineColdStartEmpty=\(isOn)")
    try town.buy(.lifetime, on: "a")
    try town.offline("a")
    #expect(try town.entitled("a") == [.lifetime])
    try town.relaunch("a")
    #expect(try town.entitled("a") == (isOn ? [] : [.lifetime]))
    try town.online("a")
    #expect(try town.entitled("a") == [.lifetime])
    try town.offline("a")
    #expect(try town.entitled("a") == [.lifetime])
  }

  /// russell-archer/StoreHelper#50; the order was measured by Kosikowski/swift-storekit.
  @Test(arguments: [false, true]) func newestRenewalsFirstTurnsTheReplayRound(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "newestRenewalsFirst=\(isOn)")
    try town.buy(.weekly, on: "a")
    try town.kill("a")
    try town.advance(days: 28)
    try town.launch("a")
    let renewals = Array(try town.all("a").map(\.transactionId).dropFirst())
    #expect(renewals.count == 4)
    let expected: [TransactionID] = isOn ? renewals.reversed() : renewals
    #expect(town.updates("a").map(\.transactionId) == expected)
  }

  /// Apple developer forums 751340.
  @Test(arguments: [false, true], [false, true])
  func refundReplayedAtLaunchIsAnnouncedOnce(isOn: Bool, reboots: Bool) throws {
    let town = try Town(["a": "alice"], habits: "refundReplayedAtLaunch=\(isOn)")
    let bought = try town.buy(.lifetime, on: "a")
    try town.kill("a")
    try town.refund(.lifetime, of: "alice")
    if reboots { try town.reboot("a") } else { try town.launch("a") }
    #expect(town.updates("a").map(\.transactionId) == (isOn ? [bought.transactionId] : []))
    #expect(town.updates("a").allSatisfy { $0.revocation != nil })
    #expect(try town.entitled("a").isEmpty)
    try town.relaunch("a")
    #expect(town.updates("a").isEmpty)
  }

  /// Apple developer forums 821622, 692030.
  @Test(arguments: [false, true]) func finishedTransactionsReappearUntilTheyAreFinishedAgain(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "finishedTransactionsReappear=\(isOn)")
    let plan = try town.buy(.weekly, on: "a").transactionId
    let coins = try town.buy(.coins, on: "a").transactionId
    town.phones["a"]?.finishes = false
    #expect(try town.unfinished("a").isEmpty)
    try town.relaunch("a")
    #expect(try town.unfinished("a") == (isOn ? [plan, coins] : []))
    #expect(town.updates("a").map(\.transactionId) == (isOn ? [plan, coins] : []))
    for id in [plan, coins] { try town.finish(id, on: "a") }
    #expect(try town.unfinished("a").isEmpty)
    try town.sync("a")
    #expect(try town.unfinished("a") == (isOn ? [plan] : []))
    // For the store, and for whoever checks it, finished is finished.
    #expect(try town.history(of: "alice").unfinished.isEmpty)
  }
}
