import ClientNode
import Foundation
import Shared
import Testing
import Wire

/// Parts of StoreKit that are made to fail.
@Suite struct SimulatedErrorTests {
  private func phone() -> (Bench, AppID) {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    return (bench, app)
  }

  @Test(arguments: [
    (FailableAPI.loadProducts, DaemonCall.products(["pro"]), "getProducts"),
    (.purchase, .purchase(PurchaseOrder(productId: "pro")), "purchase"), (.appStoreSync, .sync, "catchUp"),
    (.subscriptionStatus, .statuses(group: nil), "nothing"),
  ])
  func callFailsAsOftenAsItIsToldAndTheStoreDoesNotHearOfIt(api: FailableAPI, call: DaemonCall, request: String) {
    var (bench, app) = phone()
    let before = bench.store.count(of: request)
    bench.control(SetSimulatedError(api: api, failure: .systemError, times: 2))
    let first = bench.call(call, app)
    let second = bench.call(call, app)
    #expect(bench.error(first) == .simulated(.systemError))
    #expect(bench.error(second) == .simulated(.systemError))
    #expect(bench.store.count(of: request) == before)
    let third = bench.call(call, app)
    bench.advance(500)
    #expect(bench.error(third) == nil)
    #expect(bench.answers[third] != nil)
  }

  @Test func errorLastsUntilItIsCleared() {
    var (bench, app) = phone()
    bench.control(SetSimulatedError(api: .purchase, failure: .purchase(.ineligibleForOffer)))
    for _ in 0..<5 {
      let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
      #expect(bench.error(call) == .simulated(.purchase(.ineligibleForOffer)))
    }
    let inspection = bench.control(InspectDevice())
    let report = bench.report(of: inspection)
    #expect(
      report?.faults?.errors == [SetSimulatedError(api: .purchase, failure: .purchase(.ineligibleForOffer))])
    bench.control(SetSimulatedError(api: .purchase, failure: nil))
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.advance(500)
    #expect(bench.purchased(call) != nil)
  }

  @Test(arguments: VerificationFailure.allCases)
  func verificationThatFailsMakesWhatIsDeliveredUnverified(failure: VerificationFailure) {
    var (bench, app) = phone()
    bench.control(SetSimulatedError(api: .verification, failure: .verification(failure), times: 3))
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    bench.advance(500)
    guard case .success(.purchase(.success(let bought)))? = bench.answers[call] else {
      Issue.record("no purchase")
      return
    }
    #expect(bought.failure == failure)
    bench.store.buy("extra", for: "alice")
    bench.pump()
    #expect(bench.listener[app].map { bench.elements($0).map(\.failure) } == [failure])
    // One more, then the copies are what they are.
    let query = bench.call(.transactions(.all), app)
    guard case .success(.transactions(let all))? = bench.answers[query] else {
      Issue.record("no answer")
      return
    }
    #expect(all.map(\.failure) == [failure, nil])
  }

  @Test(arguments: [
    (FailableAPI.loadProducts, SimulatedFailure.purchase(.invalidQuantity)), (.verification, .systemError),
    (.purchase, .verification(.invalidSignature)), (.purchase, .refundRequest(.failed)),
  ])
  func failureThatStoreKitHasNotThereIsRefused(api: FailableAPI, failure: SimulatedFailure) {
    var (bench, _) = phone()
    let id = bench.control(SetSimulatedError(api: api, failure: failure))
    guard case .failed(let error)? = bench.controlReplies[id]?.outcome else {
      Issue.record("accepted")
      return
    }
    #expect(error.code == .badBody)
  }

  @Test func purchasesThatAreNotAllowedShowNoSheetAndReachNoStore() {
    var (bench, app) = phone()
    bench.control(HoldGate(gate: .purchase, held: true))
    bench.control(SetPurchasesAllowed(allowed: false))
    #expect(bench.paymentsAllowed[app] == false)
    let call = bench.call(.purchase(PurchaseOrder(productId: "pro")), app)
    guard case .refused(.purchaseNotAllowed, _)? = bench.error(call) else {
      Issue.record("\(String(describing: bench.answers[call]))")
      return
    }
    bench.kill()
    let next = bench.launch()
    #expect(bench.identities[next]?.canMakePayments == false)
    bench.control(SetPurchasesAllowed(allowed: true))
    #expect(bench.paymentsAllowed[next] == true)
    #expect(bench.store.count(of: "purchase") == 0)
  }
}
