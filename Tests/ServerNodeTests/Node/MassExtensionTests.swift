import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Extensions of all subscribers: a process that goes on after crashes, and ends with a count.
@Suite struct MassExtensionTests {
  private static let day: Int64 = 86_400_000
  private static let weekly = "com.example.app.cloud.weekly"

  private func order(_ identifier: String = "outage", days: Int = 10) -> ExtendAllSubscriptions {
    ExtendAllSubscriptions(requestIdentifier: identifier, productId: Self.weekly, days: days, reason: 3)
  }

  private func subscribers(_ count: Int, evicting: Bool = false) throws -> (store: StoreHarness, names: [String]) {
    let store = try StoreHarness(evicting: evicting)
    let names = (1...count).map { "account-\($0)" }
    for name in names {
      try store.open(name)
      try store.buy("cloud.weekly", by: name)
    }
    return (store, names)
  }

  private func status(_ store: StoreHarness, _ identifier: String = "outage") throws -> ExtensionStatus? {
    try store.ask(DescribeExtension(requestIdentifier: identifier), of: store.worldAddress).status
  }

  private func ends(_ store: StoreHarness, _ name: String) throws -> [Int64] {
    try store.ask(GetSubscriptions(), of: store.account(name)).subscriptions.map {
      ($0.renewalInfo.renewalDate.milliseconds - StoreHarness.start.milliseconds) / Self.day
    }
  }

  /// Asks for the extension of all; the store crashes at that commit of it, never at 0.
  private func extendAll(_ store: StoreHarness, crashingAt moment: Int) {
    var commits = 0
    store.crashes = {
      commits += 1
      return commits == moment
    }
    // Whoever got no answer asks again.
    for _ in 1...3 {
      if (try? store.ask(order(), of: store.worldAddress)) != nil { break }
    }
    store.crashes = { false }
    // After a restart the node waits a while for client nodes to come back.
    store.isPatient = true
  }

  @Test func aCrashAtAnyMomentLosesAndDoublesNothing() throws {
    var wasInterrupted = false
    for moment in 1...40 {
      let (store, names) = try subscribers(4, evicting: moment.isMultiple(of: 2))
      extendAll(store, crashingAt: moment)
      try store.ask(Settle(), of: store.worldAddress)
      wasInterrupted = wasInterrupted || store.crashCount > 0
      let status = try #require(try status(store))
      #expect(status.succeededCount == 4 && status.failedCount == 0 && status.completed == StoreHarness.start)
      for name in names { #expect(try ends(store, name) == [17], "\(name), crash at \(moment)") }
    }
    #expect(wasInterrupted)
  }

  /// Apple: RENEWAL_EXTENSION, SUMMARY and FAILURE.
  @Test func theDevelopersServerIsToldOfEachFailureAndOfTheEndOnce() throws {
    for moment in 0...20 {
      let (store, _) = try subscribers(3)
      _ = try store.ask(SetNotificationURL(StoreHarness.hook.production), of: store.worldAddress)
      // Twice within a year is all that one may have.
      for _ in 1...2 {
        try store.ask(ExtendSubscription(productId: Self.weekly, days: 1), of: store.account("account-2"))
      }
      extendAll(store, crashingAt: moment)
      try store.settle()
      let told = try Dictionary(grouping: store.entries()) { $0.notificationType + " " + ($0.subtype ?? "") }
      #expect(
        told["RENEWAL_EXTENDED "]?.compactMap(\.account).sorted() == [
          "account-1", "account-2", "account-2", "account-3",
        ])
      #expect(told["RENEWAL_EXTENSION FAILURE"]?.map(\.account) == ["account-2"], "crash at \(moment)")
      #expect(told["RENEWAL_EXTENSION SUMMARY"]?.map(\.account) == [nil])
      let summary = try #require(try store.received().last { $0.subtype == "SUMMARY" }?.summary)
      #expect(summary.requestIdentifier == "outage" && summary.succeededCount == 2)
    }
  }

  @Test func withoutAURLNobodyIsTold() throws {
    let (store, _) = try subscribers(1)
    try store.ask(order(), of: store.worldAddress)
    try store.settle()
    #expect(try store.entries().isEmpty)
  }

  @Test func itIsNotCompleteWhileAnAccountHasNotAnswered() throws {
    let (store, _) = try subscribers(3)
    store.holds = { $0.actor.kind == .account && $0.actor.key == "account-2" }
    store.holdsCommits = true
    try store.ask(order(), of: store.worldAddress)
    let waiting = try #require(try status(store))
    #expect(waiting.completed == nil && waiting.succeededCount == 2)
    store.holdsCommits = false
    store.release()
    #expect(try status(store)?.completed == StoreHarness.start)
    #expect(try status(store)?.succeededCount == 3)
  }

  @Test func theSameAgainChangesNothingAndAnotherOfTheNameIsRefused() throws {
    let (store, names) = try subscribers(1)
    for _ in 1...2 { try store.ask(order(), of: store.worldAddress) }
    #expect(try ends(store, names[0]) == [17])
    let error = #expect(throws: WireError.self) { try store.ask(order(days: 11), of: store.worldAddress) }
    #expect(error?.refusal == .alreadyExists)
    try store.restart()
    try store.ask(order(), of: store.worldAddress)
    #expect(try ends(store, names[0]) == [17], "the world's journal knows it")
  }

  @Test func aWorldWithoutAccountsIsDoneAtOnce() throws {
    let store = try StoreHarness()
    try store.ask(order(), of: store.worldAddress)
    #expect(try status(store)?.completed == StoreHarness.start)
    #expect(try status(store, "another") == nil)
  }

  @Test func aResetForgetsIt() throws {
    let (store, _) = try subscribers(1)
    try store.ask(order(), of: store.worldAddress)
    try store.ask(ResetWorld(), of: store.worldAddress)
    #expect(try status(store) == nil)
  }

  @Test func accountsAreFoundByTheirNumberUntilAReset() throws {
    let (store, _) = try subscribers(2)
    func account(_ ordinal: UInt64) throws -> String? {
      try store.ask(LocateAccount(ordinal: ordinal), of: store.worldAddress).account
    }
    #expect(try [0, 1, 2, 3].map { try account($0) } == [nil, "account-1", "account-2", nil])
    try store.restart()
    #expect(try account(2) == "account-2")
    try store.ask(ResetWorld(), of: store.worldAddress)
    #expect(try [1, 2, 3, 4].map { try account($0) } == [nil, nil, "account-1", "account-2"])
  }

  @Test func clientNodesLearnNoKeys() throws {
    let store = try StoreHarness()
    let phones = PeerID(Data("phones".utf8))
    try store.hello("phones", as: phones, devices: ["phone": "alice"])
    func code(_ body: () throws -> Void) -> WireError.Code? {
      do {
        try body()
        return nil
      } catch { return (error as? WireError)?.code }
    }
    #expect(code { _ = try store.ask(DescribeAPIKeys(), of: store.worldAddress, from: phones) } == .unauthorized)
    #expect(code { _ = try store.ask(order(), of: store.worldAddress, from: phones) } == .unauthorized)
  }
}
