import Foundation
import ServerNode
import Shared
import Testing
import Wire

@Suite struct ClockRetryTests {
  private let dayMilliseconds: Int64 = 86_400_000

  @Test func sameRequestAgainMovesTheClockOnceEvenAfterARestart() throws {
    let store = try StoreHarness()
    let id = RequestID(UUID())
    let tomorrow = StoreHarness.start.advanced(by: dayMilliseconds)
    let day = AdvanceClock(.by(milliseconds: dayMilliseconds))
    #expect(try store.ask(day, of: store.worldAddress, id: id).now == tomorrow)
    #expect(try store.ask(day, of: store.worldAddress, id: id).now == tomorrow)
    try store.restart()
    #expect(try store.ask(day, of: store.worldAddress, id: id).now == tomorrow)
    #expect(try store.ask(DescribeWorld(), of: store.worldAddress).now == tomorrow)
  }

  @Test func aJumpThatARestartCutShortIsPlayedToItsEndBeforeTheRetryIsAnswered() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.buy("monthly", by: "alice")
    let id = RequestID(UUID())
    let jump = AdvanceClock(.by(milliseconds: 8 * dayMilliseconds))
    // The world's own event is committed; the renewal on the way is not.
    store.holdsCommits = true
    store.holds = { $0.actor.kind != .world }
    store.send(jump, to: store.worldAddress, id: id)
    #expect(store.reply(to: id) == nil)
    store.holdsCommits = false
    try store.restart()
    #expect(
      try store.ask(jump, of: store.worldAddress, id: id).now == StoreHarness.start.advanced(by: 8 * dayMilliseconds))
    #expect(try store.events(of: "alice").suffix(1) == ["renewed"])
  }
}
