/// An instant of the machine's monotonic clock, in microseconds: what timeouts, heartbeats and retries run by.
///
/// Never the clock of a world, which people move.
package struct MonotonicTime: Hashable, Sendable {
  package var microseconds: Int64
  package init(microseconds: Int64) { self.microseconds = microseconds }

  package func advanced(byMilliseconds milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(microseconds: microseconds + milliseconds * 1_000)
  }

  package func milliseconds(since earlier: MonotonicTime) -> Int64 {
    (microseconds - earlier.microseconds) / 1_000
  }
}

extension MonotonicTime: Comparable {
  package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.microseconds < right.microseconds }
}
