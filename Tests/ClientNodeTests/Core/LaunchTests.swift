import ClientNode
import Foundation
import Shared
import Testing
import Wire

@Suite struct LaunchTests {
  @Test func appsThatLaunchThemselvesDoSoOnceTheWorldIsMadeAndAfterEachStart() {
    var bench = Bench([("phone", "alice"), ("pad", "bob")])
    bench.configuration.launchesApps = true
    bench.core = ClientNodeCore(configuration: bench.configuration, seed: 1, verify: FakeSigner.verify)
    bench.store.isOpen = false
    bench.start()
    bench.advance(5_000)
    #expect(bench.started == [])
    bench.store.isOpen = true
    bench.advance(2_000)
    #expect(bench.started.map(\.device).sorted() == ["pad", "phone"])
    bench.kill()
    bench.advance(5_000)
    #expect(bench.started.count == 2)
    bench.restartProcess()
    #expect(bench.started.map(\.device).sorted() == ["pad", "pad", "phone", "phone"])
    #expect(Set(bench.started).count == 4)
  }

  private func launching(_ change: (inout Bench) -> Void) -> Bench {
    var bench = Bench([("phone", "alice"), ("pad", "alice")])
    bench.configuration.launchesApps = true
    bench.core = ClientNodeCore(configuration: bench.configuration, seed: 1, verify: FakeSigner.verify)
    change(&bench)
    bench.start()
    bench.advance(1_000)
    return bench
  }

  @Test func nodeThatLaunchesItsAppsIsReadyWhenTheyRun() {
    var bench = launching { $0.launchHolds = true }
    #expect(bench.started.count == 2)
    #expect(bench.readyCount == 0)
    bench.feed(.appLaunched(AppID(device: "pad", incarnation: 1), failure: nil))
    #expect(bench.readyCount == 0)
    bench.feed(.appLaunched(AppID(device: "phone", incarnation: 1), failure: "no licence"))
    #expect(bench.readyCount == 1)
    #expect(bench.failedLaunches == ["the app on phone did not launch: no licence"])
  }

  @Test func launchThatHangsOrIsCutShortDoesNotKeepTheNodeFromBeingReady() {
    var bench = launching { $0.launchHolds = true }
    bench.control(KillDevice(), "phone")
    #expect(bench.readyCount == 0)
    bench.advance(21_000)
    #expect(bench.readyCount == 1)
    #expect(bench.failedLaunches.count == 1)
    #expect(bench.failedLaunches.first?.hasPrefix("the app on pad is still in its initializer") == true)
  }

  @Test func nodeWhoseWorldIsNotMadeYetIsReadyAndSaysThatTheAppsWait() {
    let bench = launching { $0.store.isOpen = false }
    #expect(bench.started == [])
    #expect(bench.readyCount == 1)
    #expect(bench.failedLaunches.first?.hasPrefix("the apps are launched once there is a world") == true)
  }

  @Test func devicesAreNamedOnTheLinkOnWhichTheyTakeMessages() {
    var bench = Bench()
    bench.holdsMessages = true
    bench.start()
    var named: [ClientLink: Set<[String]>] = [:]
    for case .request(let link, let frames) in bench.wire {
      guard let request = try? RequestFrames(frames: frames), request.name == Hello.name,
        let hello = try? WireJSON.decode(Hello.self, from: request.body)
      else { continue }
      named[link, default: []].insert(hello.devices.map(\.device))
    }
    #expect(named == [.store: [[]], .control: [["phone"]]])
  }

  @Test func unfinishedTransactionsAreOfferedOnceAtEachLaunchOldestFirst() {
    var bench = Bench()
    bench.start()
    let ids = [bench.store.buy("a", for: "alice"), bench.store.buy("b", for: "alice")]
    bench.pump()
    for _ in 0..<3 {
      let app = bench.launch()
      bench.advance(5_000)
      #expect(bench.updates(app) == ids)
      bench.kill()
    }
  }

  @Test func whatHappensBetweenLaunchAndReplayIsToldThoughAnotherDeviceFinishesIt() {
    var bench = Bench()
    bench.start()
    // The server starts anew and is slow: the phone cannot say yet that it missed nothing, so there is no replay.
    bench.isStoreLinkUp = false
    bench.store.restart()
    bench.advance(1_500)
    let app = bench.launch()
    let id = bench.store.buy("pro", for: "alice")
    bench.store.finish([id], of: "alice")
    bench.pump()
    #expect(bench.updates(app) == [])
    bench.isStoreLinkUp = true
    bench.advance(5_000)
    #expect(bench.updates(app) == [id])
    #expect(bench.query(.unfinished, app) == [])
  }

  @Test func everyIteratorOfTheLaunchWindowGetsTheReplayAndLaterOnesDoNot() {
    var bench = Bench()
    bench.start()
    let id = bench.store.buy("a", for: "alice")
    bench.pump()
    let app = bench.launch()
    bench.advance(1_000)
    let inTime = bench.listen(app)
    bench.advance(1_000)
    let late = bench.listen(app)
    bench.advance(1_000)
    #expect(bench.updates(app) == [id])
    #expect(bench.transactions(inTime) == [id])
    #expect(bench.transactions(late) == [])
  }

  @Test func renewalsMissedWhileClosedAreReplayedOnceOldestFirst() {
    var bench = Bench()
    bench.start()
    let first = bench.launch()
    let lineage = bench.store.subscribe("monthly", for: "alice")
    bench.pump()
    bench.call(.finish(lineage), first)
    bench.kill()
    let renewals = (0..<4).map { _ in bench.store.renew(lineage, of: "alice") }
    bench.areEventsUp = false
    bench.pump()
    bench.areEventsUp = true
    bench.restartProcess()
    let app = bench.launch()
    #expect(bench.query(.currentEntitlements, app) == [renewals[3]])
    #expect(bench.query(.unfinished, app) == renewals)
    bench.advance(5_000)
    #expect(bench.updates(app) == renewals)
  }

  @Test func refundWhileClosedShowsInQueriesOnly() {
    var bench = Bench()
    bench.start()
    let first = bench.launch()
    let id = bench.store.buy("pro", for: "alice")
    bench.pump()
    bench.call(.finish(id), first)
    bench.kill()
    bench.store.refund(id, of: "alice")
    bench.areEventsUp = false
    bench.pump()
    bench.areEventsUp = true
    bench.restartProcess()
    let app = bench.launch()
    #expect(bench.query(.currentEntitlements, app) == [])
    #expect(bench.query(.all, app) == [id])
    bench.advance(5_000)
    #expect(bench.updates(app) == [])
  }

  @Test func refundWhileARunningAppWasOfflineIsOneUpdate() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let id = bench.store.buy("pro", for: "alice")
    bench.pump()
    bench.call(.finish(id), app)
    bench.setOnline(false)
    bench.store.refund(id, of: "alice")
    bench.pump()
    #expect(bench.query(.currentEntitlements, app) == [id])
    bench.setOnline(true)
    bench.advance(10_000)
    #expect(bench.updates(app) == [id, id])
    #expect(bench.query(.currentEntitlements, app) == [])
  }

  @Test func newTransactionsOfATimeOfflineComeOldestFirst() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let lineage = bench.store.subscribe("monthly", for: "alice")
    bench.pump()
    bench.setOnline(false)
    // More than events are kept for, so that a snapshot comes.
    let renewals = (0..<70).map { _ in bench.store.renew(lineage, of: "alice") }
    bench.pump()
    #expect(bench.updates(app) == [lineage])
    bench.setOnline(true)
    bench.advance(5_000)
    #expect(bench.updates(app) == [lineage] + renewals)
  }

  @Test func viewsAppearWithTheFirstListenerElseWhenTheWindowCloses() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    #expect(bench.appeared == [app])
    bench.kill()
    bench.listensAtLaunch = false
    let slow = bench.launch()
    bench.advance(1_900)
    #expect(bench.appeared == [app])
    bench.advance(100)
    #expect(bench.appeared == [app, slow])
  }

  @Test func appRunsOnlyOnceItsLaunchIsCounted() {
    var bench = Bench()
    bench.start()
    bench.holdsWrites = true
    bench.control(LaunchDevice())
    #expect(bench.started == [])
    bench.releaseWrites()
    #expect(bench.started == [AppID(device: "phone", incarnation: 1)])
  }

  @Test func launchesAreCountedAcrossProcesses() {
    var bench = Bench()
    bench.start()
    #expect(bench.launch().incarnation == 1)
    bench.restartProcess()
    let app = bench.launch()
    #expect(app.incarnation == 2)
    let ids = bench.identities.values.map(\.deviceVerificationId)
    #expect(Set(ids).count == 1)
  }

  @Test func callsOfADeadLaunchHaveNoEffectAndAreLoggedOnce() {
    var bench = Bench()
    bench.start()
    let id = bench.store.buy("pro", for: "alice")
    let dead = bench.launch()
    let iterator = bench.listener[dead]!
    bench.kill()
    #expect(bench.ended.contains(iterator))
    let app = bench.launch()
    let lines = bench.logs.count
    let purchase = bench.call(.purchase(PurchaseOrder(productId: "x")), dead)
    let finish = bench.call(.finish(id), dead)
    let listener = bench.listen(dead)
    #expect(bench.error(purchase) == .appNotRunning)
    #expect(bench.error(finish) == .appNotRunning)
    #expect(bench.ended.contains(listener))
    bench.advance(1_000)
    #expect(bench.logs.count == lines + 1)
    #expect(bench.query(.unfinished, app) == [id])
    #expect(bench.store.count(of: "purchase") == 0)
  }

  @Test func queriesOfANewPhoneWaitForTheStore() {
    var bench = Bench()
    let id = bench.store.buy("pro", for: "alice")
    bench.store.published = []
    // The world is known, the account's store does not answer yet.
    bench.isStoreLinkUp = false
    bench.disk.save(StoreWrite(world: bench.store.description))
    bench.start()
    let app = bench.launch()
    let call = bench.call(.transactions(.currentEntitlements), app)
    bench.advance(1_500)
    #expect(bench.answers[call] == nil)
    bench.isStoreLinkUp = true
    bench.advance(3_000)
    #expect(bench.transactions(of: call) == [id])
  }

  @Test func offlineRelaunchShowsEntitlementsFromTheDiskAtOnceAndUntilTheyExpire() {
    var bench = Bench()
    bench.start()
    let lineage = bench.store.subscribe("yearly", for: "alice")
    let owned = bench.store.buy("pro", for: "alice")
    bench.pump()
    bench.setOnline(false)
    bench.restartProcess()
    let app = bench.launch()
    #expect(bench.query(.currentEntitlements, app) == [lineage, owned])
    #expect(bench.updates(app) == [lineage, owned])
    bench.store.moveClock(to: bench.store.now.advanced(by: 31 * 86_400_000))
    bench.pump()
    #expect(bench.query(.currentEntitlements, app) == [owned])
    let renewal = bench.store.renew(lineage, of: "alice")
    bench.pump()
    bench.setOnline(true)
    bench.advance(1_000)
    #expect(bench.query(.currentEntitlements, app) == [owned, renewal])
    #expect(bench.updates(app) == [lineage, owned, renewal])
  }

  @Test func repeatedLaunchRequestLaunchesOnce() {
    var bench = Bench()
    bench.start()
    let id = RequestID(UUID())
    bench.control(LaunchDevice(), id: id)
    bench.control(KillDevice())
    bench.control(LaunchDevice(), id: id)
    #expect(bench.started.count == 1)
    #expect(bench.report(of: id)?.incarnation == 1)
  }
}
