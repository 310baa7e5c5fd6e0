import ClientNode
import Foundation
import Shared
import Testing
import Wire

@Suite struct SyncTests {
  @Test func nodeIsReadyWhenBothLinksAreGreeted() {
    var bench = Bench()
    bench.start()
    #expect(bench.readyCount == 1)
    bench.advance(10_000)
    #expect(bench.readyCount == 1)
  }

  @Test func wrongTokenEndsTheNode() {
    var bench = Bench()
    bench.store.token = "secret"
    bench.start()
    #expect(bench.failures.first?.code == .unauthorized)
  }

  @Test func worldAndAccountMayBeMadeAfterTheNodeStarted() {
    var bench = Bench()
    bench.store.isOpen = false
    bench.start()
    #expect(bench.readyCount == 1)
    let launch = bench.control(LaunchDevice())
    bench.advance(60_000)
    #expect(bench.started == [])
    bench.store.isOpen = true
    bench.advance(1_500)
    #expect(bench.report(of: launch)?.incarnation == 1)
    let id = bench.store.buy("a", for: "alice")
    bench.pump()
    bench.advance(100)
    #expect(bench.updates(bench.started[0]) == [id])
  }

  @Test func lostEventIsNoticedByTheNext() {
    var bench = Bench()
    bench.heartbeats = false
    bench.start()
    let app = bench.launch()
    bench.areEventsUp = false
    let lost = bench.store.buy("a", for: "alice")
    bench.pump()
    bench.areEventsUp = true
    let next = bench.store.buy("b", for: "alice")
    bench.pump()
    bench.advance(500)
    #expect(bench.updates(app) == [lost, next])
  }

  @Test func lossOfTheLastEventIsNoticedByAHeartbeat() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.areEventsUp = false
    let lost = bench.store.buy("a", for: "alice")
    bench.pump()
    bench.areEventsUp = true
    bench.advance(2_500)
    #expect(bench.updates(app) == [lost])
  }

  @Test func silenceOfThreeHeartbeatsIsCaughtUpWith() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.areEventsUp = false
    bench.isStoreLinkUp = false
    bench.heartbeats = false
    let lost = bench.store.buy("a", for: "alice")
    bench.pump()
    bench.advance(20_000)
    #expect(bench.logs.contains { $0.contains("no heartbeat") })
    bench.areEventsUp = true
    bench.isStoreLinkUp = true
    bench.advance(10_000)
    #expect(bench.updates(app) == [lost])
  }

  @Test func restartedServerIsGreetedAndOnlyStaleAccountsAreFetched() {
    var bench = Bench([("one", "alice"), ("two", "bob")])
    bench.start()
    let app = bench.launch("one")
    bench.store.buy("x", for: "bob")
    bench.pump()
    let before = bench.store.count(of: "catchUp")
    bench.areEventsUp = false
    let lost = bench.store.buy("a", for: "alice")
    bench.pump()
    bench.store.restart()
    bench.areEventsUp = true
    bench.advance(3_000)
    #expect(bench.updates(app) == [lost])
    #expect(bench.store.count(of: "checkPositions") == 1)
    #expect(bench.store.count(of: "catchUp") == before + 1)
    #expect(bench.store.reports["two"] != nil)
  }

  @Test func newEpochReplacesEverything() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.store.buy("a", for: "alice")
    bench.store.buy("b", for: "alice")
    bench.pump()
    bench.store.reset()
    let id = bench.store.buy("c", for: "alice")
    bench.pump()
    bench.advance(1_000)
    #expect(bench.query(.all, app) == [id])
    #expect(bench.updates(app).last == id)
    bench.advance(2_000)
    #expect(bench.store.reports["phone"]?.epoch == 2)
  }

  @Test func br53ResetAccountIsEmptyOnEveryDeviceWithoutAnElement() {
    var bench = Bench([("one", "alice"), ("two", "alice")])
    bench.start()
    let one = bench.launch("one")
    let two = bench.launch("two")
    let old = bench.store.buy("a", for: "alice")
    bench.pump()
    bench.setOnline(false, "two")
    bench.store.reset("alice")
    bench.pump()
    bench.advance(1_000)
    #expect(bench.query(.all, one) == [])
    #expect(bench.query(.all, two) == [old], "offline, it cannot know")
    #expect(bench.updates(one) == [old])
    let new = bench.store.buy("a", for: "alice")
    bench.pump()
    bench.setOnline(true, "two")
    bench.advance(3_000)
    for app in [one, two] {
      #expect(bench.query(.all, app) == [new])
      #expect(bench.updates(app) == [old, new])
    }
  }

  @Test func signedCopiesOfAllDevicesOfAnAccountAreOneRequest() {
    var bench = Bench([("one", "alice"), ("two", "alice"), ("three", "alice")])
    bench.start()
    for device in ["one", "two", "three"] { bench.launch(device) }
    let before = bench.store.count(of: "getSignedCopies")
    bench.store.buy("a", for: "alice")
    bench.pump()
    #expect(bench.store.count(of: "getSignedCopies") == before + 1)
    for app in bench.started {
      #expect(bench.elements(bench.listener[app]!).map(\.failure) == [nil])
    }
  }

  @Test func offlinePhoneFallsBehindWhileItsSiblingFollows() {
    var bench = Bench([("one", "alice"), ("two", "alice")])
    bench.start()
    let one = bench.launch("one")
    let two = bench.launch("two")
    bench.setOnline(false, "one")
    let id = bench.store.buy("a", for: "alice")
    bench.advance(10_000)
    #expect(bench.query(.all, one) == [])
    #expect(bench.query(.all, two) == [id])
    bench.setOnline(true, "one")
    bench.advance(500)
    #expect(bench.updates(one) == [id])
  }

  @Test func brokenSyncStaysWrongUntilCatchUpIsOnAgain() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.control(BreakSync(dropUpdates: 1, catchUp: false))
    bench.store.buy("a", for: "alice")
    bench.advance(10_000)
    #expect(bench.query(.all, app) == [])
    bench.control(BreakSync(dropUpdates: 0, catchUp: true))
    bench.advance(2_000)
    #expect(bench.query(.all, app)?.count == 1)
  }

  @Test func junkIsLoggedAndIgnored() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let topic = FakeStore.topic("alice")
    bench.feed(.event([Data("x".utf8)]))
    bench.feed(.event([Data(topic.utf8), Data(repeating: 0xFF, count: 24), Data("a".utf8), Data()]))
    bench.feed(
      .event(EventFrames(topic: topic, epoch: 1, sequence: .max, name: "odd", body: Data("[]".utf8)).frames))
    bench.feed(
      .event(EventFrames(topic: Heartbeat.topic, epoch: 0, sequence: 0, name: "heartbeat", body: Data()).frames))
    bench.feed(.received(.store, []))
    bench.feed(.received(.store, [Data(), Data(), Data()]))
    bench.feed(.received(.control, [Data([0x53, 0x46, 1, 0x51, 0, 0, 0, 0])]))
    let odd = RequestFrames(
      id: RequestID(UUID()), address: ActorAddress(world: "w", kind: .device, key: "phone"), name: "explode",
      body: Data("{".utf8))
    bench.feed(.received(.control, odd.frames))
    guard case .failed(let error)? = bench.controlReplies[odd.id]?.outcome else {
      Issue.record("an unknown request got no error")
      return
    }
    #expect(error.code == .unknownName)
    let id = bench.store.buy("a", for: "alice")
    bench.advance(5_000)
    #expect(bench.updates(app) == [id])
  }

  @Test func reportsAreGatheredAndCarryTheAppliedPosition() {
    var bench = Bench([("one", "alice"), ("two", "alice")])
    bench.start()
    bench.launch("one")
    bench.launch("two")
    bench.advance(100)
    let before = bench.store.count(of: "reportDevices")
    let id = bench.store.buy("a", for: "alice")
    bench.pump()
    bench.advance(100)
    #expect(bench.store.count(of: "reportDevices") == before + 1)
    #expect(bench.store.reports["one"]?.sequence == 1)
    #expect(bench.store.reports["two"]?.unfinished == [id])
    #expect(bench.store.reports["two"]?.updates.map(\.transactionId) == [id])
    #expect(bench.store.reports["one"]?.screen?.access == .locked)
  }

  @Test func userIsBoundToWhatThePhoneOwnsOnceForEachLineage() {
    var bench = Bench()
    bench.start()
    bench.launch()
    bench.store.buy("a", for: "alice")
    bench.pump()
    let user = UUID()
    bench.control(SignInUser(appAccountToken: user))
    bench.advance(100)
    #expect(bench.store.claims == [user])
    bench.store.buy("b", for: "alice", token: user)
    bench.store.buy("c", for: "alice")
    bench.advance(1_000)
    #expect(bench.store.claims == [user, user])
  }

  @Test func sameSeedAndInputsGiveTheSameRun() {
    func run() -> [String] {
      var bench = Bench([("one", "alice"), ("two", "bob")], seed: 7)
      bench.start()
      let app = bench.launch("one")
      bench.call(.purchase(PurchaseOrder(productId: "a")), app)
      bench.setOnline(false, "one")
      bench.advance(20_000)
      bench.setOnline(true, "one")
      bench.advance(20_000)
      return bench.logs + bench.store.requests + ["\(bench.allEffects)"]
    }
    #expect(run() == run())
  }
}
