import CLinux
import Dispatch
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
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler { continuation.finish() }
    source.setCancelHandler { [descriptor] in close(descriptor) }
    source.resume()
    defer { source.cancel() }
    try await inTime("the end of \(name)") {
      for await _ in ends {}
      try Task.checkCancellation()
    }
  }
}
