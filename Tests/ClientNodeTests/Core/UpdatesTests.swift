import ClientNode
import Foundation
import Shared
import Testing
import Wire

@Suite struct UpdatesTests {
  @Test func everyIteratorGetsEveryElement() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let second = bench.listen(app)
    let id = bench.store.buy("pro", for: "alice")
    bench.pump()
    #expect(bench.updates(app) == [id])
    #expect(bench.transactions(second) == [id])
  }

  @Test func finishedElsewhereIsNoUpdate() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let id = bench.store.buy("pro", for: "alice")
    bench.store.finish([id], of: "alice")
    bench.pump()
    #expect(bench.updates(app) == [id])
    #expect(bench.query(.unfinished, app) == [])
  }

  @Test func refundIsAnUpdateOfTheSameTransaction() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let id = bench.store.buy("pro", for: "alice")
    bench.pump()
    bench.store.refund(id, of: "alice")
    bench.pump()
    #expect(bench.updates(app) == [id, id])
    #expect(bench.elements(bench.listener[app]!).map { $0.record.revocation != nil } == [false, true])
    #expect(bench.query(.currentEntitlements, app) == [])
  }

  @Test func autoRenewChangesGoToStatusUpdatesOnly() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let statuses = bench.listen(app, .statuses)
    let lineage = bench.store.subscribe("monthly", for: "alice")
    bench.pump()
    bench.store.setAutoRenew(lineage, of: "alice", false)
    bench.pump()
    bench.store.setAutoRenew(lineage, of: "alice", true)
    bench.pump()
    #expect(bench.updates(app) == [lineage])
    #expect(bench.statuses(statuses).map(\.info.willAutoRenew) == [true, false, true])
  }

  @Test func renewalGoesToBoth() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let statuses = bench.listen(app, .statuses)
    let lineage = bench.store.subscribe("monthly", for: "alice")
    let renewal = bench.store.renew(lineage, of: "alice")
    bench.pump()
    #expect(bench.updates(app) == [lineage, renewal])
    #expect(bench.statuses(statuses).last?.transaction.record.transactionId == renewal)
    #expect(bench.query(.currentEntitlements, app) == [renewal])
  }

  @Test func fastChangesOfOneTransactionAreShownOnceInTheirLastState() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.holdsMessages = true
    let id = bench.store.buy("pro", for: "alice")
    bench.store.refund(id, of: "alice")
    bench.holdsMessages = false
    bench.pump()
    let elements = bench.elements(bench.listener[app]!)
    #expect(elements.map(\.record.transactionId) == [id])
    #expect(elements.first?.record.revocation != nil)
  }

  @Test func syncAndReconnectsRepeatNothing() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let id = bench.store.buy("pro", for: "alice")
    bench.pump()
    for _ in 0..<3 {
      let call = bench.call(.sync, app)
      bench.advance(500)
      #expect(bench.isDone(call))
      bench.setOnline(false)
      bench.setOnline(true)
      bench.advance(20_000)
    }
    #expect(bench.updates(app) == [id])
  }

  @Test func syncFindsWhatALostEventHid() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.control(BreakSync(dropUpdates: 1, catchUp: false))
    let lost = bench.store.buy("pro", for: "alice")
    bench.pump()
    let seen = bench.store.buy("extra", for: "alice")
    bench.advance(5_000)
    #expect(bench.updates(app) == [seen])
    #expect(bench.query(.all, app) == [seen])
    let call = bench.call(.sync, app)
    bench.advance(500)
    #expect(bench.isDone(call))
    #expect(bench.updates(app) == [seen, lost])
    #expect(bench.query(.all, app) == [lost, seen])
  }

  @Test func liveEventsWithoutAnIteratorAreNotKept() {
    var bench = Bench()
    bench.listensAtLaunch = false
    bench.start()
    let app = bench.launch()
    bench.advance(5_000)
    let id = bench.store.buy("pro", for: "alice")
    bench.pump()
    let late = bench.listen(app)
    bench.advance(5_000)
    #expect(bench.transactions(late) == [])
    #expect(bench.query(.unfinished, app) == [id])
  }

  @Test func closedIteratorsGetNothingAndAreForgotten() {
    var bench = Bench()
    bench.listensAtLaunch = false
    bench.start()
    let app = bench.launch()
    for _ in 0..<100 {
      let iterator = bench.listen(app)
      bench.feed(.iteratorClosed(iterator, app))
    }
    bench.store.buy("pro", for: "alice")
    bench.pump()
    #expect(bench.yielded.isEmpty)
  }

  @Test(arguments: [
    (TamperCopies.Fault.tampered, VerificationFailure.invalidSignature),
    (.unparsable, .invalidEncoding), (.foreignRoot, .invalidCertificateChain),
    (.wrongBundle, .invalidDeviceVerification),
  ])
  func spoiledCopyComesUnverifiedAndTheNextIsGoodAgain(
    fault: TamperCopies.Fault, failure: VerificationFailure
  ) {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.control(TamperCopies(fault: fault))
    bench.store.buy("pro", for: "alice")
    bench.pump()
    bench.store.buy("extra", for: "alice")
    bench.pump()
    #expect(bench.elements(bench.listener[app]!).map(\.failure) == [failure, nil])
  }
}
