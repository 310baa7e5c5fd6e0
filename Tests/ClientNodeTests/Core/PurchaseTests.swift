import ClientNode
import Foundation
import Shared
import Testing
import Wire

@Suite struct PurchaseTests {
  @Test func ownPurchaseIsTheResultAndNoUpdate() {
    var bench = Bench([("phone", "alice"), ("tablet", "alice")])
    bench.start()
    let phone = bench.launch()
    let tablet = bench.launch("tablet")
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), phone)
    bench.advance(500)
    let id = bench.purchased(call)
    #expect(id != nil)
    #expect(bench.updates(phone) == [])
    #expect(bench.updates(tablet) == [id].compactMap(\.self))
    #expect(bench.query(.all, phone) == [id].compactMap(\.self))
    // Not later either, and not for an iterator that is opened within the launch window.
    let late = bench.listen(phone)
    bench.advance(30_000)
    #expect(bench.updates(phone) == [])
    #expect(bench.transactions(late) == [])
  }

  @Test func purchaseIsAnsweredOnceTheLocalStoreHasIt() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.areEventsUp = false
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    #expect(bench.answers[call] == nil)
    // The event is lost, so that the device asks for it.
    bench.advance(500)
    #expect(bench.purchased(call) != nil)
    #expect(bench.updates(app) == [])
  }

  @Test func purchaseWhoseReplyIsLostIsAskedAgainWithTheSameIdAndHappensOnce() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.holdsMessages = true
    let call = bench.call(.purchase(PurchaseOrder(productId: "coins")), app)
    for message in bench.wire {
      if case .request(_, let frames) = message { _ = bench.store.handle(try! RequestFrames(frames: frames)) }
    }
    bench.wire = []
    bench.store.published = []
    bench.holdsMessages = false
    bench.advance(10_000)
    #expect(bench.purchased(call) != nil)
    #expect(bench.store.count(of: "purchase") == 1)
    #expect(bench.updates(app) == [])
  }

  /// The store is asked where it can be; offline, the device follows the same rule.
  @Test func offlineSubscriberIsOfferedNoIntroductoryOffer() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.store.subscribe("monthly", for: "alice")
    bench.pump()
    bench.advance(500)
    bench.setOnline(false)
    let answers = ["g", "other"].map { group -> Bool? in
      let call = bench.call(.introEligibility(group: group), app)
      bench.advance(30_000)
      guard case .success(.isEligible(let isEligible))? = bench.answers[call] else { return nil }
      return isEligible
    }
    #expect(answers == [false, true])
  }

  @Test func refusedPurchaseSaysWhy() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let call = bench.call(.purchase(PurchaseOrder(productId: "unavailable")), app)
    #expect(bench.error(call) == .refused(.productUnavailable, "not for sale"))
  }

  @Test func purchaseThatWaitsForTheFamilyIsPendingAndItsApprovalIsAnUpdate() {
    var bench = Bench()
    bench.start()
    bench.store.asksToBuy = true
    let app = bench.launch()
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    guard case .success(.purchase(.pending))? = bench.answers[call] else {
      Issue.record("not pending")
      return
    }
    let id = bench.store.buy("pro", for: "alice")
    bench.pump()
    #expect(bench.updates(app) == [id])
  }

  @Test func purchaseOffline() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.setOnline(false)
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    #expect(bench.error(call) == .network)
    let products = bench.call(.products(["pro"]), app)
    #expect(bench.error(products) == .network)
    let sync = bench.call(.sync, app)
    #expect(bench.error(sync) == .network)
  }

  @Test func purchaseCutByGoingOfflineComesAsAnUpdateLater() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.holdsMessages = true
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    while let place = bench.wire.firstIndex(where: { if case .request(.store, _) = $0 { true } else { false } }) {
      bench.deliver(bench.wire.remove(at: place))
    }
    bench.setOnline(false)
    #expect(bench.error(call) == .network)
    bench.wire = []
    bench.holdsMessages = false
    bench.setOnline(true)
    bench.advance(500)
    #expect(bench.updates(app).count == 1)
    #expect(bench.store.accounts["alice"]?.history.records.count == 1)
  }

  /// The refund tells of the purchase too: when its answer never comes, there is nothing left to tell.
  @Test func purchaseThatIsRefundedBeforeItsAnswerIsLostComesOnce() {
    // What phones of an account share goes over the other one, whose network is good.
    var bench = Bench([("phone", "alice"), ("pad", "alice")])
    bench.start()
    let app = bench.launch()
    bench.control(SetNetworkFaults(faults: .init(requests: .init(dropReplies: 100))))
    let call = bench.call(.purchase(PurchaseOrder(productId: "coins")), app)
    bench.advance(500)
    bench.control(SetNetworkFaults(faults: nil))
    guard let id = bench.store.accounts["alice"]?.history.records.first?.transactionId else {
      Issue.record("nothing was sold")
      return
    }
    #expect(bench.answers[call] == nil)
    bench.store.refund(id, of: "alice")
    bench.pump()
    bench.setOnline(false)
    #expect(bench.error(call) == .network)
    bench.setOnline(true)
    bench.advance(5_000)
    #expect(bench.updates(app) == [id])
  }

  @Test func purchaseOfAKilledAppIsOfferedAtTheNextLaunch() {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    bench.holdsMessages = true
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.kill()
    bench.holdsMessages = false
    bench.pump()
    #expect(bench.error(call) == .appNotRunning)
    let next = bench.launch()
    #expect(bench.updates(next).count == 1)
    #expect(bench.updates(app) == [])
  }

  @Test func tappedPurchaseIsAnsweredWithWhatTheAppShows() {
    var bench = Bench()
    bench.start()
    let early = bench.control(TapBuy(productId: "pro"))
    guard case .failed(let error)? = bench.controlReplies[early]?.outcome else {
      Issue.record("a purchase was tapped in an app that does not run")
      return
    }
    #expect(error.refusal == .wrongState)
    bench.launch()
    let tap = bench.control(TapBuy(productId: "pro"))
    guard case .ok(let body)? = bench.controlReplies[tap]?.outcome else {
      Issue.record("no reply")
      return
    }
    #expect(try! WireJSON.decode(TapBuy.Reply.self, from: body).phase == "completed")
  }
}
