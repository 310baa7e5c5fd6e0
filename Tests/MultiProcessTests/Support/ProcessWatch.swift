import CLinux
import Fleet
import Foundation
import Glibc

/// Waits for the end of a process that is not this one's child.
struct ProcessWatch: Sendable {
  let name: String
  private let descriptor: Int32

  init(_ node: FleetDescription.Node) throws {
    name = node.name
    descriptor = clinux_pidfd_open(node.process.processID)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ESRCH) }
  }

  /// Returns once the process has ended; the kernel tells, nothing is polled. To be called once.
  func end() async throws {
    let hasEnded = await withCheckedContinuation { continuation in
      Thread.detachNewThread { [descriptor] in
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&wait, 1, Int32(patience / .milliseconds(1)))
        close(descriptor)
        continuation.resume(returning: count == 1)
      }
    }
    if !hasEnded { throw Overdue(description: "not within \(patience): the end of \(name)") }
  }
}
