import Testing

@testable import Wire

@Suite struct TimerQueueTests {
  @Test func timersComeInTheOrderTheyAreDueAndThenInTheOrderTheyWereAdded() {
    var queue = TimerQueue<Int, String>()
    _ = queue.add(due: 5, "five")
    _ = queue.add(due: 3, "three")
    _ = queue.add(due: 5, "five again")
    _ = queue.add(due: 9, "nine")
    #expect(queue.next() == 3)
    #expect(queue.all(dueAt: 5) == ["three", "five", "five again"])
    #expect(queue.next() == 9)
    #expect(queue.all(dueAt: 8).isEmpty)
  }

  @Test func aCancelledTimerNeverComes() {
    var queue = TimerQueue<Int, String>()
    let first = queue.add(due: 1, "first")
    _ = queue.add(due: 2, "second")
    queue.cancel(first)
    queue.cancel(first)
    #expect(queue.next() == 2)
    #expect(queue.all(dueAt: 2) == ["second"])
    #expect(queue.next() == nil)
  }

  @Test func anyMixOfAddAndCancelAgreesWithASortedList() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      var queue = TimerQueue<Int, Int>()
      var expected: [(due: Int, number: Int, token: TimerToken)] = []
      for number in 0..<500 {
        if Int.random(in: 0..<3, using: &random) > 0 || expected.isEmpty {
          let due = Int.random(in: 0..<100, using: &random)
          expected.append((due, number, queue.add(due: due, number)))
        } else {
          queue.cancel(expected.remove(at: Int.random(in: 0..<expected.count, using: &random)).token)
        }
      }
      expected.sort { ($0.due, $0.number) < ($1.due, $1.number) }
      #expect(queue.count == expected.count)
      #expect(queue.all(dueAt: 100) == expected.map(\.number))
    }
  }

  @Test func cancelledTimersDoNotPileUp() {
    var queue = TimerQueue<Int, Int>()
    for number in 0..<10_000 { queue.cancel(queue.add(due: 1_000_000 + number, number)) }
    #expect(queue.storedCount <= 65)
  }

  @Test func millisecondsRoundUpAndNeverOverflow() {
    #expect(Duration.zero.milliseconds == 0)
    #expect(Duration.nanoseconds(1).milliseconds == 1)
    #expect(Duration.milliseconds(1500).milliseconds == 1500)
    #expect(Duration.seconds(Int64.max).milliseconds == .max)
    #expect(Duration.seconds(Int64.min).milliseconds == .min)
  }
}

extension TimerQueue {
  fileprivate mutating func all(dueAt now: Instant) -> [Work] {
    var all: [Work] = []
    while let work = take(dueAt: now) { all.append(work) }
    return all
  }
}
