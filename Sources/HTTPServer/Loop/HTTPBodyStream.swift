import Foundation
import Synchronization

/// The bytes of a streamed response between the task that writes them and the connection that sends them.
///
/// Writers are on any executor, the reader is the connection's loop; the lock is held for moments only.
final class HTTPBodyStream: Sendable {
  enum Reading: Equatable {
    case bytes(Int)
    case ended
    case failed
    /// There is nothing now: the reader is woken when there is.
    case parked
  }

  private enum End { case finished, failed, closed(HTTPStreamClosed) }

  private struct State {
    var pieces: [Data] = []
    /// The first of `pieces` that is not sent, and how much of it is.
    var first = 0
    var offset = 0
    var byteCount = 0
    var isParked = false
    var end: End?
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter: UInt64 = 0

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      defer { waiters.removeAll() }
      return Array(waiters.values)
    }
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let wakeReader: @Sendable () -> Void

  init(capacity: Int, wakeReader: @escaping @Sendable () -> Void) {
    self.capacity = capacity
    self.wakeReader = wakeReader
  }

  // MARK: Writing, from any thread

  func write(_ data: Data) async throws(HTTPStreamClosed) {
    let outcome = state.withLock { state -> (closed: HTTPStreamClosed?, wakes: Bool, waits: Bool) in
      if let closed = Self.reason(state.end) { return (closed, false, false) }
      guard !data.isEmpty else { return (nil, false, false) }
      state.pieces.append(data)
      state.byteCount += data.count
      defer { state.isParked = false }
      return (nil, state.isParked, state.byteCount >= capacity)
    }
    if let closed = outcome.closed { throw closed }
    if outcome.wakes { wakeReader() }
    guard outcome.waits else { return }
    await waitForRoom()
    if let closed = state.withLock({ Self.reason($0.end) }) { throw closed }
    if Task.isCancelled { throw .cancelled }
  }

  func finish() { end(.finished) }

  /// The body ends too early, and the client can tell.
  func fail() { end(.failed) }

  private func waitForRoom() async {
    let id = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          // A cancellation from before this moment has found no waiter to wake.
          guard state.end == nil, state.byteCount >= capacity, !Task.isCancelled else { return false }
          state.waiters[id] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
  }

  private func end(_ end: End) {
    let wakes = state.withLock { state in
      guard state.end == nil else { return false }
      state.end = end
      defer { state.isParked = false }
      return state.isParked
    }
    if wakes { wakeReader() }
  }

  private static func reason(_ end: End?) -> HTTPStreamClosed? {
    switch end {
    case nil: nil
    case .closed(let reason): reason
    case .finished, .failed: .cancelled
    }
  }

  // MARK: Reading, on the loop

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
    let (reading, waiters) = state.withLock { state -> (Reading, [CheckedContinuation<Void, Never>]) in
      if case .failed = state.end { return (.failed, []) }
      if case .closed(.clientGone) = state.end { return (.failed, []) }
      var count = 0
      while count < buffer.count, state.first < state.pieces.count {
        let piece = state.pieces[state.first]
        let part = min(piece.count - state.offset, buffer.count - count)
        let start = piece.startIndex + state.offset
        piece.copyBytes(
          to: UnsafeMutableRawBufferPointer(rebasing: buffer[count..<(count + part)]), from: start..<(start + part))
        count += part
        state.offset += part
        guard state.offset == piece.count else { break }
        state.first += 1
        state.offset = 0
      }
      if state.first == state.pieces.count {
        state.pieces.removeAll(keepingCapacity: true)
        state.first = 0
      }
      state.byteCount -= count
      if count == 0 {
        guard state.end == nil else { return (.ended, []) }
        state.isParked = true
        return (.parked, [])
      }
      return (.bytes(count), state.byteCount < capacity ? state.takeWaiters() : [])
    }
    for waiter in waiters { waiter.resume() }
    return reading
  }

  /// Nobody will read what is written from now on. What was written before is still sent, unless the client has gone.
  func close(_ reason: HTTPStreamClosed) {
    let (waiters, wakes) = state.withLock { state -> ([CheckedContinuation<Void, Never>], Bool) in
      if state.end == nil { state.end = .closed(reason) }
      if reason == .clientGone {
        state.pieces.removeAll()
        (state.first, state.offset, state.byteCount) = (0, 0, 0)
      }
      defer { state.isParked = false }
      return (state.takeWaiters(), state.isParked)
    }
    for waiter in waiters { waiter.resume() }
    if wakes { wakeReader() }
  }
}
