import Foundation
@testable import ServerNode
import Shared
import Testing
import Wire

/// What nobody listens to is not published, and whoever comes late still misses nothing.
@Suite struct SubscriptionsTests {
  private let alice = "w/account/alice;"

  private func published(_ store: StoreHarness, _ topic: String) -> [String] {
    store.published.filter { $0.topic == topic }.map { "\($0.name) \($0.sequence)" }
  }

  @Test func nothingIsPublishedToNobody() throws {
    let store = try StoreHarness(isHeard: false)
    try store.open("alice")
    try store.buy("monthly", by: "alice", token: UUID())
    try store.advance(days: 60)
    #expect(store.published.allSatisfy { $0.topic == Heartbeat.topic })
    #expect(store.core.counters.publications == 0)
    #expect(store.core.counters.unheardPublications > 4)
  }

  @Test func lateSubscriberIsToldWhereTheActorIsAndHearsAllThatFollows() throws {
    let store = try StoreHarness(isHeard: false)
    try store.open("alice", "bob")
    try store.buy("coins", by: "alice")
    store.subscribe(alice)
    try store.buy("coins", by: "alice")
    try store.buy("coins", by: "bob")
    #expect(published(store, alice) == ["subscribed 2", "purchased 3"])
    #expect(published(store, "w/account/bob;").isEmpty)
  }

  @Test func whoSubscribesWhileAJumpIsOnItsWayToTheDiskHearsOfIt() throws {
    let store = try StoreHarness(catalog: AccountStage.catalog, isHeard: false)
    try store.open("alice")
    try store.ask(Purchase(productId: "pro.monthly"), of: store.account("alice"))
    store.holdsCommits = true
    store.holds = { $0.actor.kind == .account }
    store.send(AdvanceClock(.by(milliseconds: 70 * 86_400_000)), to: store.worldAddress, id: RequestID(UUID()))
    store.subscribe(alice)
    #expect(published(store, alice).isEmpty)
    store.release()
    #expect(published(store, alice) == ["renewed 3", "renewed 4", "subscribed 4"])
  }

  @Test func nothingIsPublishedAnyMoreWhenTheLastSubscriberHasLeft() throws {
    let store = try StoreHarness(isHeard: false)
    try store.open("alice")
    store.subscribe(alice)
    store.unsubscribe(alice)
    try store.buy("coins", by: "alice")
    #expect(published(store, alice) == ["subscribed 1"])
    store.subscribe(alice)
    #expect(published(store, alice) == ["subscribed 1", "subscribed 2"])
  }

  @Test(arguments: ["", "w/", "w/account/al"]) func subscriptionIsToAllThatBeginsWithIt(prefix: String) throws {
    let store = try StoreHarness(isHeard: false)
    store.subscribe(prefix)
    try store.open("alice")
    #expect(published(store, alice) == ["opened 1"])
    store.unsubscribe(prefix)
    try store.buy("coins", by: "alice")
    #expect(published(store, alice) == ["opened 1"])
  }

  @Test func subscriptionToAnotherActorIsNone() {
    var subscriptions = Subscriptions()
    for topic in ["w/account/alice2;", "w/user/alice;", "v/account/alice;", "*;", "w/account/alice;;", "w/account/b"] {
      subscriptions.add(topic)
    }
    #expect(!subscriptions.cover(ActorAddress(world: "w", kind: .account, key: "alice")))
    for number in 0..<100 { subscriptions.add("x\(number)") }
    #expect(
      subscriptions.cover(ActorAddress(world: "w", kind: .account, key: "alice")),
      "too many to compare with: published, perhaps in vain")
  }
}
