import Glibc

/// Nanoseconds of the machine's monotonic clock.
struct MonotonicTime: Comparable, Sendable {
  private let nanoseconds: Int64

  static func now() -> MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Durations beyond 100 years count as that.
  func advanced(by duration: Duration) -> MonotonicTime {
    let (seconds, attoseconds) = min(max(duration, .zero), .seconds(3_153_600_000)).components
    return MonotonicTime(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// Whole milliseconds until then, rounded up; 0 if it is over.
  func milliseconds(until other: MonotonicTime) -> Int32 {
    Int32(clamping: max(other.nanoseconds - nanoseconds, 0).dividedRoundingUp(by: 1_000_000))
  }

  static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Int64 {
  fileprivate func dividedRoundingUp(by divisor: Int64) -> Int64 { (self + divisor - 1) / divisor }
}
