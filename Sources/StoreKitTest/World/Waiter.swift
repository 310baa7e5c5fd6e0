import Dispatch
import Synchronization

/// A value that another thread will have, for a thread that blocks until then.
final class Waiter<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// The first value counts.
  func fulfill(_ value: Value) {
    let isFirst = self.value.withLock { current in
      defer { current = current ?? value }
      return current == nil
    }
    if isFirst { done.signal() }
  }

  /// What there is by now.
  var current: Value? { value.withLock { $0 } }

  /// Nil when it did not come in time.
  func wait(seconds: Int) -> Value? {
    if let value = current { return value }
    _ = done.wait(timeout: .now() + .seconds(seconds))
    return current
  }
}
