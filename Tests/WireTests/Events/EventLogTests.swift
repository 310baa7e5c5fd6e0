import Foundation
import Testing
import Wire

/// Followers read on from where they were, and are told when that is no longer possible.
@Suite struct EventLogTests {
  private func publish(_ log: EventLog, _ number: UInt64, of world: String = "w", body: Int = 2) {
    let event = EventFrames(
      topic: "\(world)/account/alice;", epoch: 1, sequence: number, name: "purchased",
      body: Data(repeating: UInt8(ascii: " "), count: body))
    log.append(event.frames)
  }

  private func numbers(_ batch: EventLog.Batch) -> [UInt64]? {
    guard case .events(let entries) = batch else { return nil }
    return entries.map(\.event.sequence)
  }

  @Test func aFollowerGetsWhatWasPublishedSinceAndThenWaits() async {
    let log = EventLog()
    publish(log, 1)
    let start = log.follow("w")
    publish(log, 2)
    publish(log, 3, of: "other")
    publish(log, 4)
    let first = await log.next(of: "w", after: start)
    #expect(numbers(first) == [2, 4])
    guard case .events(let entries) = first, let last = entries.last else { return }
    async let next = log.next(of: "w", after: last.position)
    publish(log, 5)
    #expect(numbers(await next) == [5])
    // From the middle, as whoever comes back.
    #expect(numbers(await log.next(of: "w", after: entries[0].position)) == [4, 5])
  }

  @Test func whoeverIsTooSlowIsToldAndGoesOn() async {
    let log = EventLog(mostEvents: 100)
    let start = log.follow("w")
    for number in 1...101 { publish(log, UInt64(number)) }
    guard case .missed = await log.next(of: "w", after: start) else {
      Issue.record("the first event is gone, and nobody said so")
      return
    }
    let newest = log.follow("w")
    publish(log, 102)
    #expect(numbers(await log.next(of: "w", after: newest)) == [102])
  }

  @Test func bytesAreBoundedToo() async {
    let log = EventLog(mostBytes: 1_000)
    let start = log.follow("w")
    publish(log, 1, body: 600)
    #expect(numbers(await log.next(of: "w", after: start)) == [1])
    publish(log, 2, body: 600)
    guard case .missed = await log.next(of: "w", after: start) else {
      Issue.record("both events are kept")
      return
    }
  }

  @Test func manyEventsComeInBatchesInOrder() async {
    let log = EventLog(mostEvents: 1_000)
    _ = log.follow("w")
    for number in 1...3_000 { publish(log, UInt64(number)) }
    var position = log.follow("w")
    for number in 3_001...3_900 { publish(log, UInt64(number)) }
    var seen: [UInt64] = []
    while seen.count < 900, case .events(let entries) = await log.next(of: "w", after: position) {
      seen += entries.map(\.event.sequence)
      position = entries.last?.position ?? position
    }
    #expect(seen == Array(3_001...3_900))
  }

  @Test func aPositionOfAnotherLogIsMissed() async throws {
    let before = EventLog().follow("w")
    let log = EventLog()
    _ = log.follow("w")
    guard case .missed = await log.next(of: "w", after: before) else {
      Issue.record("a position of another node's life was taken")
      return
    }
    #expect(EventLog.Position(before.description) == before)
    for text in ["", "-", "1", "1-", "-1", "1-x", "1-2-3", "xyz-1", "123456789-1"] {
      #expect(EventLog.Position(text) == nil, "\(text)")
    }
  }

  @Test func aWorldThatNobodyFollowedForLongIsForgotten() async {
    let log = EventLog(mostWorlds: 2)
    let first = log.follow("a")
    _ = log.follow("b")
    _ = log.follow("c")
    guard case .missed = await log.next(of: "a", after: first) else {
      Issue.record("three worlds are kept")
      return
    }
  }

  @Test func theEndWakesWhoeverWaits() async {
    let log = EventLog()
    let start = log.follow("w")
    async let last = log.next(of: "w", after: start)
    log.end()
    guard case .ended = await last else {
      Issue.record("it goes on")
      return
    }
  }

  @Test func aCancelledFollowerIsLetGo() async {
    let log = EventLog()
    let start = log.follow("w")
    let waiting = Task { await log.next(of: "w", after: start) }
    waiting.cancel()
    #expect(numbers(await waiting.value) == [])
  }
}
