import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// What is committed, what is said when, and what a disk that fails does to both.
@Suite struct CommitTests {
  private static let full = JournalError(.full, "The disk is full. Free some space.")
  private let coins = Purchase(productId: "com.example.app.coins")

  @Test func sameRequestTwiceInTheMailboxHasOneEffectAndOneReply() throws {
    let store = try StoreHarness()
    try store.open("alice")
    store.holdsCommits = true
    let id = RequestID(UUID())
    let other = PeerID(Data("other".utf8))
    try store.hello("other", as: other, role: .control)
    store.send(coins, to: store.account("alice"), id: id)
    store.send(coins, to: store.account("alice"), id: id, from: other)
    store.release()
    let replies = try store.sent.compactMap { try? ReplyFrames(frames: $0.frames) }.filter { $0.id == id }.map {
      guard case .ok(let body) = $0.outcome else { throw Missing() }
      return body
    }
    #expect(replies.count == 2)
    #expect(Set(replies).count == 1)
    #expect(try store.history(of: "alice").records.count == 1)
  }

  @Test func nextCommandIsDecidedOnlyWhenTheOneBeforeIsOnDisk() throws {
    let store = try StoreHarness()
    try store.open("alice")
    store.holdsCommits = true
    let lifetime = Purchase(productId: "com.example.app.lifetime")
    let ids = [RequestID(UUID()), RequestID(UUID())]
    for id in ids { store.send(lifetime, to: store.account("alice"), id: id) }
    store.release()
    let outcomes = try ids.map { id -> Purchase.Reply.Outcome in
      guard case .ok(let body) = store.reply(to: id)?.outcome else { throw Missing() }
      return try WireJSON.decode(Purchase.Reply.self, from: body).outcome
    }
    let id = try #require(try store.history(of: "alice").records.first?.transactionId)
    #expect(outcomes == [.purchased(id), .existing(id)])
  }

  @Test func fullDiskRefusesRetriablyAndLeavesNothingHalfApplied() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let user = UUID()
    let before = store.published.count
    let id = RequestID(UUID())
    store.failsAppend = { _ in CommitTests.full }
    let lifetime = Purchase(productId: "com.example.app.lifetime", appAccountToken: user)
    let error = #expect(throws: WireError.self) { try store.ask(lifetime, of: store.account("alice"), id: id) }
    #expect(error?.isRetriable == true)
    #expect(error?.message.contains("full") == true)
    #expect(try store.history(of: "alice").records.isEmpty)
    #expect(store.published.count == before)
    store.failsAppend = { _ in nil }
    let reply = try store.ask(lifetime, of: store.account("alice"), id: id)
    #expect(reply.position.sequence == 2)
    #expect(try store.entitlements(of: user).map(\.status) == [.active])
  }

  @Test func effectsAndTimersAreTriedAgainUntilThereIsSpace() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let user = UUID()
    store.failsAppend = { $0.actor.kind == .user ? CommitTests.full : nil }
    try store.buy("monthly", by: "alice", token: user)
    #expect(try store.entitlements(of: user).isEmpty)
    store.wait(milliseconds: 5_000)
    #expect(try store.entitlements(of: user).isEmpty)
    store.failsAppend = { _ in nil }
    store.wait(milliseconds: 2_000)
    #expect(try store.entitlements(of: user).map(\.status) == [.trial])

    store.failsAppend = { $0.applies == nil && $0.answered == nil ? CommitTests.full : nil }
    let id = RequestID(UUID())
    store.send(AdvanceClock(.by(milliseconds: 8 * 86_400_000)), to: store.worldAddress, id: id)
    #expect(store.reply(to: id) == nil, "the jump is not over before its timers are played")
    store.failsAppend = { _ in nil }
    store.wait(milliseconds: 2_000)
    #expect(store.reply(to: id) != nil)
    #expect(try store.events(of: "alice") == ["opened", "purchased", "renewed"])
    #expect(try store.entitlements(of: user).map(\.status) == [.active])
  }

  @Test func effectsStayInOrderWhenTheFirstCannotBeCommitted() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let user = UUID()
    // The first effect fails once; those behind it must wait for it, and none may be lost or come twice.
    var failures = 1
    store.failsAppend = { append in
      guard append.actor.kind == .user, failures > 0 else { return nil }
      failures -= 1
      return CommitTests.full
    }
    var asked = 0
    store.chooses = nil
    store.holdsCommits = true
    for product in ["lifetime", "coins", "season"] {
      store.send(
        Purchase(productId: "com.example.app." + product, appAccountToken: user), to: store.account("alice"),
        id: RequestID(UUID()))
      asked += 1
    }
    store.release()
    store.wait(milliseconds: 3_000)
    #expect(try store.entitlements(of: user).count == asked)
    #expect(try store.journal.recover().effects.isEmpty)
    #expect(store.core.counters.conflicts == 0)
  }

  @Test func numbersOfSentEffectsSurviveAFailedCommit() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let user = UUID()
    try store.buy("coins", by: "alice", token: user)
    for _ in 0..<3 {
      store.failsAppend = { $0.actor.kind == .account ? CommitTests.full : nil }
      #expect(throws: WireError.self) { try store.buy("coins", by: "alice", token: user) }
      store.failsAppend = { _ in nil }
      try store.buy("coins", by: "alice", token: user)
    }
    #expect(try store.entitlements(of: user).count == 4)
    #expect(store.core.counters.conflicts == 0)
    #expect(try store.journal.recover().effects.isEmpty)
  }

  @Test func conflictLoadsTheActorAndDecidesAgain() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("coins", by: "alice")
    // Another writer that the node knows nothing of.
    let event = JournalEvent(name: "finished", at: 0, body: Data("{}".utf8))
    _ = try store.journal.commit([
      JournalAppend(actor: store.account("alice"), expectedSequence: 2, events: [event])
    ])
    let reply = try store.buy("lifetime", by: "alice")
    #expect(reply.position.sequence == 4)
    #expect(store.core.counters.conflicts == 1)
    #expect(try store.events(of: "alice") == ["opened", "purchased", "finished", "purchased"])
  }

  @Test func accountThatCouldNotBeOpenedYetIsRetriable() throws {
    let store = try StoreHarness()
    store.failsAppend = { $0.actor.kind == .account ? CommitTests.full : nil }
    try store.open("alice")
    let error = #expect(throws: WireError.self) { try store.buy("lifetime", by: "alice") }
    #expect(error?.isRetriable == true)
    store.failsAppend = { _ in nil }
    store.wait(milliseconds: 2_000)
    try store.buy("lifetime", by: "alice")
    #expect(try store.entitled("alice") == ["lifetime"])
  }

  @Test func accountThatCannotBeReadIsRetriable() throws {
    let store = try StoreHarness(evicting: true)
    try store.open("alice")
    store.failsLoads = JournalError(.failed, "The disk cannot be read.")
    let error = #expect(throws: WireError.self) { try store.buy("lifetime", by: "alice") }
    #expect(error?.isRetriable == true)
    store.failsLoads = nil
    try store.buy("lifetime", by: "alice")
    #expect(try store.entitled("alice") == ["lifetime"])
  }

  @Test func joinThatWaitsIsAnsweredThoughTheFamilyCouldNotCommit() throws {
    let store = try StoreHarness()
    try store.open("mum", "kid")
    try store.family("f", "mum")
    var failures = 1
    store.failsAppend = { append in
      guard append.actor.kind == .family, append.applies != nil, failures > 0 else { return nil }
      failures -= 1
      return CommitTests.full
    }
    let id = RequestID(UUID())
    store.send(JoinFamily(account: "kid"), to: store.address(.family, "f"), id: id)
    store.wait(milliseconds: 2_000)
    #expect(store.reply(to: id).map { if case .ok = $0.outcome { true } else { false } } == true)
    #expect(try store.ask(DescribeFamily(), of: store.address(.family, "f")).members == ["mum", "kid"])
  }

  private struct Missing: Error {}
}
