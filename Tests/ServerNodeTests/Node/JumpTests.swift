import Foundation
@testable import ServerNode
import Shared
import Testing
import Wire

/// Clock jumps are played in groups; nobody can tell by what comes of them.
@Suite struct JumpTests {
  private static let day: Int64 = 86_400_000
  private static let full = JournalError(.full, "The disk is full. Free some space.")

  /// A family, users, plans of different lengths.
  private func town(evicting: Bool = false) throws -> StoreHarness {
    let store = try StoreHarness(evicting: evicting, catalog: AccountStage.catalog)
    try store.open("ann", "ben", "cat")
    try store.family("f", "ann", "ben")
    let users = ["ann": JumpTests.user(1), "cat": JumpTests.user(2)]
    for (name, product) in [("ann", "pro.monthly"), ("ben", "news.weekly"), ("cat", "pro.monthly")] {
      try store.ask(Purchase(productId: product, appAccountToken: users[name]), of: store.account(name))
    }
    return store
  }

  private static func user(_ number: Int) -> UUID {
    UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)") ?? UUID()
  }

  private func events(_ store: StoreHarness) throws -> [String: [JournalEvent]] {
    let actors =
      ["ann", "ben", "cat"].map { store.account($0) } + [store.address(.family, "f")]
      + [1, 2].map { store.address(.user, JumpTests.user($0).uuidString.lowercased()) }
    return Dictionary(
      uniqueKeysWithValues: try actors.map { ("\($0)", try store.journal.load($0).events.map(JumpTests.plain)) })
  }

  /// Without the ids of requests, which differ from run to run.
  private static func plain(_ event: JournalEvent) -> JournalEvent {
    var event = event
    let text = String(decoding: event.body, as: UTF8.self)
    event.body = Data(text.replacing(/"cause":\{[^}]*\},?/, with: "").utf8)
    return event
  }

  @Test func fiveYearsPlayEveryRenewalInOrder() throws {
    let store = try town()
    let before = store.published.count
    try store.advance(days: 5 * 366)
    let seen = store.published[before...].filter { $0.topic.hasPrefix("w/account/") && $0.name == "renewed" }
    let updates = try seen.map { try WireJSON.decode(AccountUpdate.self, from: $0.body) }
    #expect(updates.map(\.at) == updates.map(\.at).sorted())
    #expect(updates.count > 60 + 60 + 60 + 250)
    for name in ["ann", "ben", "cat"] {
      let records = try store.history(of: name).records.filter { $0.inAppOwnershipType == .purchased }
      for (earlier, later) in zip(records, records.dropFirst()) { #expect(earlier.expiresDate == later.purchaseDate) }
      let stored = try store.journal.load(store.account(name)).events
      #expect(stored.map(\.at) == stored.map(\.at).sorted())
    }
    // Everything that ann's user and family were told of came before the next timer.
    #expect(try store.history(of: "ben").records.filter { $0.inAppOwnershipType == .familyShared }.count == 61)
    #expect(try store.entitlements(of: JumpTests.user(1)).map(\.status) == [.active])
  }

  @Test func oneJumpIsAsManySmallOnes() throws {
    let whole = try town()
    try whole.advance(days: 365)
    let parts = try town(evicting: true)
    for _ in 0..<365 { try parts.advance(days: 1) }
    #expect(try events(whole) == events(parts))
  }

  @Test(arguments: [1, 2, 3, 4]) func deathBetweenGroupsChangesNothing(commit: Int) throws {
    let undisturbed = try town()
    try undisturbed.advance(days: 15 * 366)
    let store = try town()
    var count = 0
    // Asked before and after each commit; the first is the world's own.
    store.crashes = {
      count += 1
      return count == 2 + commit
    }
    try store.advance(days: 15 * 366)
    #expect(store.crashCount == 1)
    #expect(try events(store) == events(undisturbed))
  }

  @Test func groupThatCannotBeStoredIsTriedAgainAndLosesNothing() throws {
    let undisturbed = try town()
    try undisturbed.advance(days: 2 * 366)
    let store = try town()
    var failures = 0
    store.failsAppend = { append in
      guard append.events.first?.name == "renewed", append.expectedSequence % 7 == 3, failures < 5 else { return nil }
      failures += 1
      return JumpTests.full
    }
    store.isPatient = true
    let before = store.published.count
    try store.advance(days: 2 * 366)
    #expect(failures == 5)
    #expect(try events(store) == events(undisturbed))
    #expect(store.core.counters.conflicts == 0)
    // Nothing was said of what was not on disk, and nothing twice.
    for name in ["ann", "ben", "cat"] {
      let said = store.published[before...].filter { $0.topic == "w/account/\(name);" && $0.name != "subscribed" }
      let first = try #require(said.first).sequence
      #expect(said.map(\.sequence) == (0..<said.count).map { first + UInt64($0) })
    }
  }

  @Test func nobodyHearsOfAGroupBeforeItIsOnDisk() throws {
    let store = try town()
    store.holdsCommits = true
    store.holds = { $0.actor.kind != .world }
    let before = store.published.count
    store.send(AdvanceClock(.by(milliseconds: 400 * JumpTests.day)), to: store.worldAddress, id: RequestID(UUID()))
    let question = RequestID(UUID())
    store.send(CatchUp(epoch: 0, after: 0), to: store.account("ann"), id: question)
    #expect(store.published[before...].map(\.name) == [ClockMoves.name], "the clock itself is on its way")
    #expect(store.reply(to: question) == nil, "the account's state is ahead of the disk")
    store.release()
    #expect(store.reply(to: question) != nil)
    #expect(store.published.count > before + 1)
  }

  @Test func anotherWriterInTheMiddleIsNoticed() throws {
    let store = try town()
    store.holdsCommits = true
    store.holds = { $0.actor.kind != .world }
    let id = RequestID(UUID())
    store.send(AdvanceClock(.by(milliseconds: 100 * JumpTests.day)), to: store.worldAddress, id: id)
    let sequence = try store.journal.load(store.account("cat")).sequence
    _ = try store.journal.commit([
      JournalAppend(
        actor: store.account("cat"), expectedSequence: sequence,
        events: [JournalEvent(name: "finished", at: 0, body: Data("{}".utf8))])
    ])
    store.release()
    #expect(store.reply(to: id) != nil)
    let names = try store.events(of: "cat")
    #expect(names.count { $0 == "renewed" } == 3)
    #expect(store.core.counters.conflicts > 0)
    #expect(try store.journal.recover().effects.isEmpty)
  }

  @Test func sleepingActorsAreWokenOnTheWay() throws {
    let undisturbed = try town()
    try undisturbed.advance(days: 366)
    let store = try town()
    try store.restart()
    try store.advance(days: 366)
    #expect(try events(store) == events(undisturbed))
  }

  @Test func actorThatCannotBeLoadedHoldsTheJumpUpUntilItCan() throws {
    let store = try town()
    try store.restart()
    store.failsLoads = JournalError(.failed, "The disk cannot be read.")
    let id = RequestID(UUID())
    store.send(AdvanceClock(.by(milliseconds: 40 * JumpTests.day)), to: store.worldAddress, id: id)
    #expect(store.reply(to: id) == nil)
    store.failsLoads = nil
    store.isPatient = true
    try store.ask(AdvanceClock(.by(milliseconds: 40 * JumpTests.day)), of: store.worldAddress, id: id)
    store.wait(milliseconds: 5_000)
    #expect(try store.history(of: "cat").records.count == 2)
  }
}
