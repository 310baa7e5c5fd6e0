package import CLinux

/// The C library's `timerfd_settime`, for everything in this process: a plain system call.
///
/// libfaketime has one of its own, which takes every absolute time for one of the wall clock. Dispatch sets its timers
/// by the monotonic clock, so that they would fire in another year, `Task.sleep` with them. A symbol of the executable
/// goes before those of libraries.
@_cdecl("timerfd_settime")
package func timerSystemCall(
  _ descriptor: Int32, _ flags: Int32, _ value: UnsafePointer<itimerspec>?, _ old: UnsafeMutablePointer<itimerspec>?
) -> Int32 {
  clinux_timerfd_settime(descriptor, flags, value, old)
}
