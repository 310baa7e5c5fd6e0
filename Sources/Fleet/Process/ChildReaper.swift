import CLinux
import Foundation
import Glibc
import Launch
import Synchronization

/// One thread that learns of the end of every child.
///
/// Each child has a process descriptor (`pidfd_open(2)`, Linux 5.3) in one epoll set. So nothing is polled, no signal
/// handler is installed, and children that other code started stay that code's own.
final class ChildReaper: Sendable {
  /// Started with the first child; it then lives as long as the process.
  static let shared = Result { () throws(ChildProcessError) in try ChildReaper() }

  private struct Entry {
    let child: ChildProcess
    let processDescriptor: Int32
  }

  private let poll: Int32
  /// By process id. An entry is what keeps a running child's object alive.
  private let entries = Mutex<[Int32: Entry]>([:])

  private init() throws(ChildProcessError) {
    poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard poll >= 0 else { throw .system("watch child processes", errno: errno) }
    let thread = Thread { self.run() }
    thread.name = "child-reaper"
    thread.stackSize = 256 * 1024
    thread.start()
  }

  func watch(_ child: ChildProcess) throws(ChildProcessError) {
    let descriptor = clinux_pidfd_open(child.processID)
    guard descriptor >= 0 else {
      if errno == ENOSYS {
        throw ChildProcessError(.failed, "cannot watch a child process: Linux 5.3 or newer is needed")
      }
      throw .system("watch a child process", errno: errno)
    }
    entries.withLock { $0[child.processID] = Entry(child: child, processDescriptor: descriptor) }
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.fd = child.processID
    guard epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
      let number = errno
      entries.withLock { $0[child.processID] = nil }
      close(descriptor)
      throw .system("watch a child process", errno: number)
    }
  }

  private func run() {
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    while true {
      let count = epoll_wait(poll, &events, Int32(events.count), -1)
      // Only EINTR can come back here; the set is never closed.
      guard count > 0 else { continue }
      for event in events.prefix(Int(count)) {
        let entry = entries.withLock { $0.removeValue(forKey: event.data.fd) }
        guard let entry else { continue }
        // Out of the set before the process id is free for the next child. Closing alone is not enough: a child that is
        // just being started holds a copy until it executes its program.
        _ = epoll_ctl(poll, EPOLL_CTL_DEL, entry.processDescriptor, nil)
        close(entry.processDescriptor)
        entry.child.reap()
      }
    }
  }
}
