import ClientNode
import Foundation
import Shared
import Testing
import Wire

/// Answers that are held open, as a payment sheet that stays up does.
@Suite struct GateTests {
  private func phone() -> (Bench, AppID) {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    return (bench, app)
  }

  private func isCancelled(_ bench: Bench, _ call: CallID) -> Bool {
    if case .success(.purchase(.userCancelled))? = bench.answers[call] { true } else { false }
  }

  private func waiting(_ bench: inout Bench, _ gate: HoldGate.Gate) -> [String]? {
    let id = bench.control(InspectDevice())
    return bench.report(of: id)?.faults?.gates.first { $0.gate == gate }?.waiting
  }

  @Test func nothingIsBoughtWhileThePaymentSheetIsUp() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchase, held: true))
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.advance(600_000)
    #expect(bench.answers[call] == nil)
    #expect(bench.store.count(of: "purchase") == 0)
    #expect(waiting(&bench, .purchase) == ["pro"])
    bench.control(HoldGate(gate: .purchase, held: false))
    bench.advance(500)
    #expect(bench.purchased(call) != nil)
    #expect(bench.store.count(of: "purchase") == 1)
    #expect(waiting(&bench, .purchase) == nil)
  }

  @Test func paymentSheetThatIsPutAwayBuysNothing() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchase, held: true))
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.control(HoldGate(gate: .purchase, held: false, cancel: true))
    #expect(isCancelled(bench, call))
    #expect(bench.store.count(of: "purchase") == 0)
    // The next sheet is another one.
    let next = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.advance(500)
    #expect(bench.purchased(next) != nil)
  }

  @Test func onlySoManyCallsPassAndTheOldestFirst() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchase, held: true))
    let taps = ["coins.1", "coins.2", "coins.3"].map { bench.call(.purchase(PurchaseOrder(productId: $0)), app) }
    bench.control(HoldGate(gate: .purchase, held: false, count: 1))
    bench.advance(500)
    #expect(taps.map { bench.purchased($0) != nil } == [true, false, false])
    bench.control(HoldGate(gate: .purchase, held: false, count: 1, cancel: true))
    #expect(isCancelled(bench, taps[1]))
    #expect(waiting(&bench, .purchase) == ["coins.3"])
    // More pass than wait: who comes later goes through, and the one after that waits.
    bench.control(HoldGate(gate: .purchase, held: false, count: 2))
    let fourth = bench.call(.purchase(PurchaseOrder(productId: "coins.4")), app)
    let fifth = bench.call(.purchase(PurchaseOrder(productId: "coins.5")), app)
    bench.advance(500)
    #expect(bench.purchased(taps[2]) != nil)
    #expect(bench.purchased(fourth) != nil)
    #expect(bench.answers[fifth] == nil)
    #expect(bench.store.count(of: "purchase") == 3)
  }

  @Test func saleWhoseAnswerIsHeldIsOfferedAtTheLaunchAfterAKillAndIsSoldOnce() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchaseResult, held: true))
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.advance(120_000)
    #expect(bench.answers[call] == nil, "the app's patience is not that of the one who holds it")
    #expect(bench.updates(app) == [])
    #expect(waiting(&bench, .purchaseResult) == ["pro"])
    bench.kill()
    #expect(bench.error(call) == .appNotRunning)
    bench.control(HoldGate(gate: .purchaseResult, held: false))
    let next = bench.launch()
    bench.advance(5_000)
    #expect(bench.updates(next).count == 1)
    #expect(bench.store.accounts["alice"]?.history.records.count == 1)
    #expect(bench.store.count(of: "purchase") == 1)
  }

  @Test func paymentSheetOfAKilledAppIsGone() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchase, held: true))
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.kill()
    #expect(bench.error(call) == .appNotRunning)
    bench.control(HoldGate(gate: .purchase, held: false))
    let next = bench.launch()
    bench.advance(5_000)
    #expect(bench.updates(next) == [])
    #expect(bench.store.count(of: "purchase") == 0)
  }

  @Test func heldAnswerReachesTheAppOfflineToo() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchaseResult, held: true))
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.advance(500)
    bench.setOnline(false)
    #expect(bench.answers[call] == nil)
    bench.control(HoldGate(gate: .purchaseResult, held: false))
    #expect(bench.purchased(call) != nil)
    #expect(bench.updates(app) == [])
  }

  /// The customer cancels and is charged all the same: the sale comes as those from elsewhere do.
  @Test func saleWhoseAnswerIsCancelledComesThroughUpdates() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchaseResult, held: true))
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.advance(500)
    bench.control(HoldGate(gate: .purchaseResult, held: false, cancel: true))
    bench.advance(500)
    #expect(isCancelled(bench, call))
    #expect(bench.updates(app).count == 1)
  }

  @Test func paymentSheetThatIsLetGoOfflineFails() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchase, held: true))
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.setOnline(false)
    #expect(bench.answers[call] == nil)
    bench.control(HoldGate(gate: .purchase, held: false))
    #expect(bench.error(call) == .network)
  }

  @Test(arguments: [
    (HoldGate.Gate.products, DaemonCall.products(["pro"]), "pro"), (.restore, .sync, "sync"),
    (.entitlements, .transactions(.currentEntitlements), "currentEntitlements"),
    (.entitlements, .statuses(group: nil), "status"), (.finish, .finish(TransactionID(7)), "7"),
  ])
  func everyGateHoldsItsCallsAndShowsThem(gate: HoldGate.Gate, call: DaemonCall, subject: String) {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: gate, held: true))
    let id = bench.call(call, app)
    bench.advance(120_000)
    #expect(bench.answers[id] == nil)
    #expect(waiting(&bench, gate) == [subject])
    bench.control(HoldGate(gate: gate, held: false))
    bench.advance(500)
    guard case .success? = bench.answers[id] else {
      Issue.record("\(gate): \(String(describing: bench.answers[id]))")
      return
    }
  }

  @Test func tapOnRestoreThatIsNotWaitedForIsAnsweredAtOnce() {
    var (bench, _) = phone()
    bench.answersRestore = false
    let waiting = bench.control(TapRestore())
    let tap = bench.control(TapRestore(wait: false))
    #expect(bench.controlReplies[waiting] == nil)
    guard case .ok(let body)? = bench.controlReplies[tap]?.outcome else {
      Issue.record("no reply")
      return
    }
    #expect((try? WireJSON.decode(TapRestore.Reply.self, from: body))?.outcome == "started")
  }

  @Test func restoreCanBeCancelled() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .restore, held: true))
    let call = bench.call(.sync, app)
    bench.control(HoldGate(gate: .restore, held: false, cancel: true))
    #expect(bench.error(call) == .simulated(.userCancelled))
  }

  @Test(arguments: [
    HoldGate(gate: .finish, held: false, cancel: true), HoldGate(gate: .purchase, held: true, count: 1),
    HoldGate(gate: .purchase, held: true, cancel: true), HoldGate(gate: .purchase, held: false, count: 0),
  ])
  func orderThatMakesNoSenseIsRefusedAndChangesNothing(order: HoldGate) {
    var (bench, app) = phone()
    let id = bench.control(order)
    guard case .failed(let error)? = bench.controlReplies[id]?.outcome else {
      Issue.record("accepted")
      return
    }
    #expect(error.code == .badBody)
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.advance(500)
    #expect(bench.purchased(call) != nil)
  }

  @Test func whatWaitsIsReportedWithoutBeingAskedFor() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchase, held: true))
    bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.advance(200)
    #expect(bench.store.reports["phone"]?.faults?.gates == [HeldGate(gate: .purchase, waiting: ["pro"])])
    bench.control(HoldGate(gate: .purchase, held: false))
    bench.advance(500)
    #expect(bench.store.reports["phone"]?.faults == nil)
  }
}
