import ClientNode
import Foundation
import Shared
import Testing
import Wire

@Suite struct FinishTests {
  private func owner() -> (Bench, AppID, TransactionID) {
    var bench = Bench()
    bench.start()
    let app = bench.launch()
    let id = bench.store.buy("pro", for: "alice")
    bench.pump()
    return (bench, app, id)
  }

  @Test func finishIsToldToTheStore() {
    var (bench, app, id) = owner()
    let call = bench.call(.finish(id), app)
    #expect(bench.isDone(call))
    #expect(bench.store.accounts["alice"]?.history[id]?.isFinished == true)
    #expect(bench.query(.unfinished, app) == [])
  }

  @Test func finishReturnsOnlyOnceTheMarkIsSafe() {
    var (bench, app, id) = owner()
    bench.holdsWrites = true
    let call = bench.call(.finish(id), app)
    #expect(bench.answers[call] == nil)
    bench.releaseWrites()
    #expect(bench.isDone(call))
  }

  @Test func finishedOfflineStaysFinishedAfterAKillAndIsToldLater() {
    var (bench, app, id) = owner()
    bench.setOnline(false)
    let call = bench.call(.finish(id), app)
    #expect(bench.isDone(call))
    #expect(bench.store.accounts["alice"]?.history[id]?.isFinished == false)
    bench.restartProcess()
    let next = bench.launch()
    #expect(bench.query(.unfinished, next) == [])
    #expect(bench.updates(next) == [])
    bench.setOnline(true)
    bench.advance(1_000)
    #expect(bench.store.accounts["alice"]?.history[id]?.isFinished == true)
    #expect(bench.updates(next) == [])
  }

  @Test func unknownAndFinishedTransactionsReturnAtOnce() {
    var (bench, app, id) = owner()
    bench.call(.finish(id), app)
    let requests = bench.store.count(of: "finish")
    bench.setOnline(false)
    let again = bench.call(.finish(id), app)
    let unknown = bench.call(.finish(TransactionID(1)), app)
    #expect(bench.isDone(again))
    #expect(bench.isDone(unknown))
    #expect(bench.store.count(of: "finish") == requests)
  }

  @Test func finishReturnsInBoundedTimeWhenTheStoreKeepsFailing() {
    var (bench, app, id) = owner()
    bench.store.refusesFinish = true
    let call = bench.call(.finish(id), app)
    bench.advance(2_000)
    #expect(bench.isDone(call))
    bench.advance(600_000)
    #expect(bench.store.count(of: "finish") < 20)
    bench.kill()
    let next = bench.launch()
    bench.store.refusesFinish = false
    bench.advance(75_000)
    #expect(bench.updates(next) == [])
    #expect(bench.store.accounts["alice"]?.history[id]?.isFinished == true)
  }

  @Test func heldFinishHasNoEffectWhenTheAppIsKilledMeanwhile() {
    var (bench, app, id) = owner()
    bench.control(HoldGate(gate: .finish, held: true))
    let call = bench.call(.finish(id), app)
    bench.kill()
    #expect(bench.error(call) == .appNotRunning)
    bench.control(HoldGate(gate: .finish, held: false))
    let next = bench.launch()
    #expect(bench.updates(next) == [id])
    #expect(bench.store.count(of: "finish") == 0)
  }

  @Test func heldFinishGoesOnWhenLetGo() {
    var (bench, app, id) = owner()
    bench.control(HoldGate(gate: .finish, held: true))
    let call = bench.call(.finish(id), app)
    bench.advance(5_000)
    #expect(bench.answers[call] == nil)
    bench.control(HoldGate(gate: .finish, held: false))
    #expect(bench.isDone(call))
    #expect(bench.query(.unfinished, app) == [])
  }
}
