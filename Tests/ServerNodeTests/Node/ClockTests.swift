import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Manual clocks that jump, and real ones that wake the node.
@Suite struct ClockTests {
  private static let day: Int64 = 86_400_000

  @Test func jumpPlaysEveryTimerAtItsOwnTimeInOrderWithItsEffects() throws {
    let store = try StoreHarness()
    try store.open("b", "a", "kid")
    try store.family("f", "b", "kid")
    let user = UUID()
    try store.buy("monthly", by: "b", token: user)
    try store.buy("monthly", by: "a")
    let before = store.published.count
    try store.advance(days: 70)
    let seen = store.published[before...].filter { $0.topic.hasPrefix("w/account/") || $0.topic.hasPrefix("w/user/") }
    // Of two timers at one instant the lower account comes first, and the effects of one come before the next timer.
    let round = ["w/account/a;", "w/account/b;"]
    let accounts = seen.map(\.topic).filter { round.contains($0) }
    #expect(accounts == round + round + round)
    let family = seen.map(\.topic).filter { $0 != "w/account/a;" }
    for start in stride(from: 0, to: family.count, by: 3) {
      #expect(family[start] == "w/account/b;")
      #expect(Set(family[(start + 1)..<(start + 3)]) == ["w/account/kid;", "w/user/\(user.uuidString.lowercased());"])
    }
    for name in ["a", "b", "kid"] {
      let times = try store.journal.events(of: store.account(name), after: 0, limit: 100).map(\.at)
      #expect(times == times.sorted())
      let records = try store.history(of: name).records
      for (earlier, later) in zip(records, records.dropFirst()) { #expect(earlier.expiresDate == later.purchaseDate) }
    }
    #expect(store.published.last?.name == "clockMoved")
  }

  @Test func jumpIsAnnouncedBeforeAnythingHappensInIt() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("monthly", by: "alice")
    let before = store.published.count
    try store.advance(days: 70)
    let seen = store.published[before...].map(\.name)
    #expect(seen.first == ClockMoves.name)
    #expect(seen.last == ClockMoved.name)
    let announced = try WireJSON.decode(ClockMoves.self, from: store.published[before].body).to
    let reached = try WireJSON.decode(ClockMoved.self, from: #require(store.published.last).body).now
    #expect(announced == reached)
  }

  @Test func changesWaitUntilTheJumpIsOverAndQuestionsDoNot() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("monthly", by: "alice")
    store.holdsCommits = true
    store.holds = { $0.actor.kind == .account }
    let jump = RequestID(UUID())
    let purchase = RequestID(UUID())
    let refund = RequestID(UUID())
    let question = RequestID(UUID())
    // In the mailbox behind a commit when the jump begins…
    store.send(Purchase(productId: "com.example.app.coins"), to: store.account("alice"), id: RequestID(UUID()))
    store.send(Refund(productId: "com.example.app.monthly"), to: store.account("alice"), id: refund)
    store.send(AdvanceClock(.by(milliseconds: 8 * ClockTests.day)), to: store.worldAddress, id: jump)
    store.release()
    // …the refund is of the renewal that the jump made.
    let records = try store.history(of: "alice").records.filter { $0.type == .autoRenewable }
    #expect(records.map { $0.revocation != nil } == [false, true])
    #expect(store.reply(to: refund) != nil)

    try store.buy("lifetime", by: "alice")
    store.failsAppend = { $0.answered == nil ? JournalError(.full, "full") : nil }
    try store.open("bob")
    store.failsAppend = { _ in nil }
    store.wait(milliseconds: 2_000)
    try store.buy("monthly", by: "bob")
    store.failsAppend = { $0.answered == nil ? JournalError(.full, "full") : nil }
    let second = RequestID(UUID())
    store.send(AdvanceClock(.by(milliseconds: 8 * ClockTests.day)), to: store.worldAddress, id: second)
    store.send(Purchase(productId: "com.example.app.coins"), to: store.account("alice"), id: purchase)
    store.send(CatchUp(epoch: 0, after: 0), to: store.account("alice"), id: question)
    #expect(store.reply(to: second) == nil)
    #expect(store.reply(to: purchase) == nil)
    #expect(store.reply(to: question) != nil)
    store.failsAppend = { _ in nil }
    store.wait(milliseconds: 2_000)
    #expect(store.reply(to: second) != nil)
    #expect(store.reply(to: purchase) != nil)
  }

  @Test func timeOfAnAccountDoesNotGoBackWhenAnEffectComesLate() throws {
    let store = try StoreHarness(clock: .real)
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    let old = StoreTime(milliseconds: StoreHarness.start.milliseconds + 20)
    store.wait(milliseconds: 20)
    // What mum shares waits for the disk while the kid buys something of its own.
    store.holdsCommits = true
    store.holds = { $0.actor.kind == .family }
    try store.buy("lifetime", by: "mum")
    store.wait(milliseconds: 5)
    try store.buy("season", by: "kid")
    store.release()
    try store.restart()
    #expect(try store.entitled("kid") == ["lifetime", "season"])
    let times = try store.journal.events(of: store.account("kid"), after: 0, limit: 100).map(\.at)
    #expect(times == times.sorted())
    #expect(times.last == old.milliseconds + 5)
  }

  @Test func timersOfWhatWasDecidedBeforeAJumpArePlayedInTheirTurn() throws {
    let store = try StoreHarness()
    try store.open("mum")
    try store.open("kid", asksToBuy: true)
    try store.buy("monthly", by: "mum")
    store.holdsCommits = true
    store.holds = { $0.actor == store.account("kid") }
    store.send(
      Purchase(productId: "com.example.app.season"), to: store.account("kid"), id: RequestID(UUID()))
    let jump = RequestID(UUID())
    store.send(AdvanceClock(.by(milliseconds: 60 * ClockTests.day)), to: store.worldAddress, id: jump)
    #expect(store.reply(to: jump) == nil)
    let settled = RequestID(UUID())
    store.send(Settle(), to: store.worldAddress, id: settled)
    #expect(store.reply(to: settled) == nil)
    let before = store.published.count
    store.release()
    let names = store.published[before...].filter { $0.topic.hasPrefix("w/account/") }.map(\.name)
    #expect(names == ["askedToBuy", "askToBuyExpired", "renewed", "renewed"])
    #expect(store.reply(to: jump) != nil)
    #expect(store.reply(to: settled) != nil)
  }

  @Test func jumpAskedAgainMovesTheClockOnceEvenAfterARestart() throws {
    let store = try StoreHarness()
    try store.open("alice")
    let id = RequestID(UUID())
    let jump = AdvanceClock(.by(milliseconds: ClockTests.day))
    let first = try store.ask(jump, of: store.worldAddress, id: id)
    #expect(try store.ask(jump, of: store.worldAddress, id: id) == first)
    try store.restart()
    #expect(try store.ask(jump, of: store.worldAddress, id: id) == first)
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).now == first.now)
    #expect(first.now == StoreHarness.start.advanced(by: ClockTests.day))
  }

  @Test func jumpThatACrashInterruptedIsFinishedBeforeChangesGoOn() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("monthly", by: "alice")
    var commits = 0
    store.crashes = {
      commits += 1
      return commits == 4
    }
    // Dies in the middle; the same request is asked again and waits for the rest of the jump.
    try store.advance(days: 70)
    #expect(store.crashCount == 1)
    #expect(try store.events(of: "alice") == ["opened", "purchased", "renewed", "renewed", "renewed"])
    #expect(
      try store.ask(DescribeWorld(), of: store.worldAddress).now == StoreHarness.start.advanced(by: 70 * ClockTests.day)
    )
  }

  @Test func changesWaitForTheRestOfAJumpThatACrashInterrupted() throws {
    let store = try StoreHarness()
    try store.open("alice", "bob")
    try store.buy("monthly", by: "alice")
    let full: (JournalAppend) -> JournalError? = { $0.answered == nil ? JournalError(.full, "full") : nil }
    store.failsAppend = full
    let jump = RequestID(UUID())
    let request = AdvanceClock(.by(milliseconds: 8 * ClockTests.day))
    store.send(request, to: store.worldAddress, id: jump)
    try store.restart()
    // The clock has moved, and the renewal on the way is not on disk yet.
    let purchase = RequestID(UUID())
    store.send(Purchase(productId: "com.example.app.coins"), to: store.account("bob"), id: purchase)
    store.send(request, to: store.worldAddress, id: jump)
    #expect(store.reply(to: purchase) == nil)
    #expect(store.reply(to: jump) == nil)
    store.failsAppend = { _ in nil }
    store.wait(milliseconds: 2_000)
    #expect(store.reply(to: purchase) != nil)
    #expect(store.reply(to: jump) != nil)
    #expect(try store.events(of: "alice").last == "renewed")
    #expect(
      try store.ask(DescribeWorld(), of: store.worldAddress).now == StoreHarness.start.advanced(by: 8 * ClockTests.day))
  }

  @Test(arguments: [
    AdvanceClock.Target.by(milliseconds: -1), .to(StoreTime(milliseconds: 0)), .by(milliseconds: .min),
    .to(StoreTime(milliseconds: .min)),
  ])
  func clockNeverGoesBack(target: AdvanceClock.Target) throws {
    let store = try StoreHarness()
    let error = #expect(throws: WireError.self) { try store.ask(AdvanceClock(target), of: store.worldAddress) }
    #expect(error?.refusal == .clockBackwards)
  }

  @Test func clockStopsAtTheEndOfTheCalendar() throws {
    let store = try StoreHarness()
    for target in [AdvanceClock.Target.by(milliseconds: .max), .to(StoreTime(milliseconds: .max))] {
      let error = #expect(throws: WireError.self) { try store.ask(AdvanceClock(target), of: store.worldAddress) }
      #expect(error?.code == .badBody)
    }
  }

  @Test(arguments: [Int64.min, -1, .max])
  func clockThatStartsOutsideTheCalendarIsRefused(milliseconds: Int64) throws {
    let store = try StoreHarness(creates: false)
    let request = CreateWorld(
      catalog: try StoreHarness.demoCatalog(), clock: .manual(startsAt: StoreTime(milliseconds: milliseconds)))
    let error = #expect(throws: WireError.self) { try store.ask(request, of: store.worldAddress) }
    #expect(error?.code == .badBody)
  }

  @Test func nextEventGoesToTheNextTimerAndNoFurther() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("monthly", by: "alice")
    let reply = try store.ask(AdvanceClock(.nextEvent), of: store.worldAddress)
    #expect(reply.now == StoreHarness.start.advanced(by: 7 * ClockTests.day))
    #expect(try store.events(of: "alice").last == "renewed")
  }

  @Test func realClockWakesTheNodeWhenATimerIsDueAndCannotBeAdvanced() throws {
    let store = try StoreHarness(clock: .real, timeRate: .monthlyRenewalEveryThirtySeconds)
    try store.open("alice")
    try store.buy("monthly", by: "alice")
    #expect(try store.events(of: "alice") == ["opened", "purchased"])
    // The week of the trial lasts ten seconds.
    store.wait(milliseconds: 9_999)
    #expect(try store.events(of: "alice") == ["opened", "purchased"])
    store.wait(milliseconds: 1)
    #expect(try store.events(of: "alice") == ["opened", "purchased", "renewed"])
    store.wait(milliseconds: 60_000)
    #expect(try store.events(of: "alice").count == 5)
    let error = #expect(throws: WireError.self) { try store.advance(days: 1) }
    #expect(error?.refusal == .clockNotManual)
  }

  @Test func timersThatWereDueWhileTheNodeWasDownArePlayedAtTheirOwnTimes() throws {
    let store = try StoreHarness(clock: .real, timeRate: .monthlyRenewalEveryThirtySeconds)
    try store.open("alice")
    try store.buy("monthly", by: "alice")
    store.sleep(milliseconds: 75_000)
    try store.restart()
    let records = try store.history(of: "alice").records
    #expect(records.count == 4)
    for (earlier, later) in zip(records, records.dropFirst()) { #expect(earlier.expiresDate == later.purchaseDate) }
  }
}
