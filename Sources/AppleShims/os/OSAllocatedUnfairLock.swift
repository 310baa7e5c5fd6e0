import Foundation

/// A value behind a lock.
///
/// Apple: https://developer.apple.com/documentation/os/osallocatedunfairlock
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  /// `value` is read and written under `lock` only.
  private final class Storage {
    let lock = NSLock()
    var value: State
    init(_ value: State) { self.value = value }
  }

  private let storage: Storage

  public init(uncheckedState initialState: State) { storage = Storage(initialState) }

  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.value)
  }

  public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
    try withLockUnchecked(body)
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
  public init() { self.init(uncheckedState: ()) }

  public func lock() { storage.lock.lock() }
  public func unlock() { storage.lock.unlock() }

  public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
    try withLockUnchecked { _ in try body() }
  }
}
