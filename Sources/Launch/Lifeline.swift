import CLinux
import Glibc
import Synchronization

/// Ties children to their launcher: they hold the reading end of a pipe, the launcher holds the only writing end.
///
/// Nothing is ever written. When the launcher ends, however it ends (SIGKILL included), the kernel closes the
/// writing end and every child reads end-of-file. `PR_SET_PDEATHSIG` is no substitute: it fires when the *thread*
/// that started the child ends.
package final class Lifeline: Sendable {
  /// The environment variable that tells a child the number of its descriptor.
  package static let variable = "STOREFLEET_LIFELINE"
  /// The descriptor that a child gets: the first after standard error.
  package static let childDescriptor: Int32 = 3

  package let readingEnd: Int32
  private let writingEnd: Mutex<Int32?>

  package init() throws(ChildProcessError) {
    var ends: [Int32] = [-1, -1]
    // Close-on-exec from the start: a copy of the writing end in any other process would keep orphans alive.
    guard pipe2(&ends, O_CLOEXEC) == 0 else {
      throw .system("make a lifeline for child processes", errno: errno)
    }
    readingEnd = ends[0]
    writingEnd = Mutex(ends[1])
  }

  deinit {
    cut()
    close(readingEnd)
  }

  /// Lets go of every child on this lifeline, as if the launcher had died. A second call does nothing.
  package func cut() {
    writingEnd.withLock { end in
      if let descriptor = end { close(descriptor) }
      end = nil
    }
  }
}
