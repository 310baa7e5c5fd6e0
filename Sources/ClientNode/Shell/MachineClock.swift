import CLinux
import Glibc
package import Shared

/// The machine's wall clock, whatever `Date()` of this process was made to say.
package enum MachineClock {
  package static var now: StoreTime {
    var time = timespec()
    _ = clinux_clock_gettime(CLOCK_REALTIME, &time)
    return StoreTime(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
