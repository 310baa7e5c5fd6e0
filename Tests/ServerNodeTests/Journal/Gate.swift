import Foundation

/// Holds a thread up until the test lets it go.
///
/// Sendable is unchecked because `condition` guards all mutable state.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpen = false
  private let arrivals: AsyncStream<Void>
  private let arrived: AsyncStream<Void>.Continuation

  init() { (arrivals, arrived) = AsyncStream.makeStream() }

  /// Blocks the calling thread while the gate is closed.
  func pass() {
    arrived.yield()
    condition.withLock {
      while !isOpen { condition.wait() }
    }
  }

  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }

  /// Returns when a thread has come to the gate.
  func arrival() async {
    for await _ in arrivals { return }
  }
}
