import Foundation

/// A value behind a lock. Publishers carry values of any type, so the standard library's `Mutex`, which lets only
/// sendable ones in and out, does not do.
final class Locked<Value> {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Nothing of an app's may be called in `body`: it could come back here.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
