import ClientNode
import Foundation
import Shared
import Testing
import Wire

/// A node whose one app has the process to itself.
@Suite struct OwnProcessTests {
  private func bench(_ lastEnd: String? = nil) -> Bench {
    var bench = Bench()
    bench.configuration.ownProcess = OwnProcess(folder: "/nowhere", lastEnd: lastEnd)
    bench.core = ClientNodeCore(configuration: bench.configuration, seed: 1, verify: FakeSigner.verify)
    bench.start()
    return bench
  }

  /// The process ends and starts again, with the word that was left.
  private func restart(_ bench: inout Bench, _ lastEnd: String) {
    var unanswered = UnansweredRequests()
    for case .remember(let word) in bench.processEffects { unanswered = word }
    for case .endProcess(let word) in bench.processEffects { unanswered = word }
    unanswered.lastEnd = lastEnd
    bench.disk.node.unanswered = unanswered
    bench.restartProcess()
    bench.advance(1_000)
  }

  @Test func aKillEndsTheProcessAndTheNextOneAnswersForIt() throws {
    var bench = bench()
    _ = bench.control(LaunchDevice())
    let kill = bench.control(KillDevice())
    #expect(bench.controlReplies[kill] == nil)
    let ends = bench.processEffects.filter { if case .endProcess = $0 { true } else { false } }
    #expect(ends.count == 1)
    restart(&bench, "ended by signal 9")
    guard case .ok(let body)? = bench.controlReplies[kill]?.outcome else {
      Issue.record("the kill was not answered")
      return
    }
    #expect(try WireJSON.decode(DeviceReport.self, from: body).incarnation == nil)
    #expect(bench.started.count == 1, "the app stays off")
    let tap = bench.control(TapRestore())
    guard case .failed(let refusal)? = bench.controlReplies[tap]?.outcome else {
      Issue.record("an app that is off was tapped")
      return
    }
    #expect(refusal.message == "the app on phone does not run: launch it first")
    _ = bench.control(LaunchDevice())
    #expect(bench.started.map(\.incarnation) == [1, 2])
  }

  @Test func whoAskedForALaunchThatEndedTheProcessHearsHow() {
    var bench = bench()
    bench.launchHolds = true
    let launch = bench.control(LaunchDevice())
    restart(&bench, "exited with code 1: no licence")
    guard case .failed(let error)? = bench.controlReplies[launch]?.outcome else {
      Issue.record("the launch was not answered")
      return
    }
    #expect(error.message == "the app on phone did not launch, it exited with code 1: no licence")
  }

  @Test func anInitializerThatDoesNotReturnIsSaidAndTheAppStays() {
    var bench = bench()
    bench.launchHolds = true
    let launch = bench.control(LaunchDevice())
    bench.advance(19_000)
    #expect(bench.controlReplies[launch] == nil)
    bench.advance(2_000)
    guard case .failed(let error)? = bench.controlReplies[launch]?.outcome else {
      Issue.record("the launch was not answered")
      return
    }
    #expect(error.message.hasPrefix("the app on phone is still in its initializer after 20 s"))
    #expect(bench.started.count == 1)
    let kill = bench.control(KillDevice())
    #expect(bench.processEffects.contains { if case .endProcess = $0 { true } else { false } })
    #expect(bench.controlReplies[kill] == nil, "the next process answers")
  }

  @Test func anAppThatLaunchesItselfStaysOffAfterACrash() {
    var bench = bench()
    bench.configuration.launchesApps = true
    restart(&bench, "exited with code 1: no licence")
    #expect(bench.started == [])
  }

  @Test func theClockOfTheAppMovesBeforeAnythingElseDoes() {
    struct Deaf: AppClock {
      func show(_ time: StoreTime?, skewMilliseconds: Int64) {}
    }
    var bench = Bench()
    bench.configuration.appClock = Deaf()
    bench.configuration.skewRefusal = nil
    bench.core = ClientNodeCore(configuration: bench.configuration, seed: 1, verify: FakeSigner.verify)
    bench.start()
    _ = bench.control(SetSkew(milliseconds: 7_000))
    let later = bench.store.now.advanced(by: 86_400_000)
    let topic = ActorAddress(world: FakeStore.world, kind: .world, key: FakeStore.world).topic
    bench.feed(
      .event(
        EventFrames(
          topic: topic, epoch: 1, sequence: 0, name: ClockMoves.name, body: WireJSON.encode(ClockMoves(to: later))
        ).frames))
    let shown = bench.processEffects.compactMap { effect -> [Int64?]? in
      if case .showTime(let time, let skew) = effect { [time?.milliseconds, skew] } else { nil }
    }
    #expect(shown.last == [later.milliseconds, 7_000])
    #expect(shown.contains([bench.store.now.milliseconds, 7_000]), "the skew alone moves it too")
  }

  @Test func aDeviceWithoutAProcessOfItsOwnHasNoSkew() {
    var bench = Bench()
    bench.start()
    let id = bench.control(SetSkew(milliseconds: 1))
    guard case .failed(let error)? = bench.controlReplies[id]?.outcome else {
      Issue.record("a skew was taken")
      return
    }
    #expect(error.refusal == .wrongState)
    #expect(error.message.hasPrefix("phone cannot have a clock of its own"))
  }
}
