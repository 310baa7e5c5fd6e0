import Synchronization

/// What one iterator of `Transaction.updates` (and of its kin) reads from: a queue of its own, filled by the client
/// node, so that every iterator gets every element.
///
/// Unbounded on purpose: it holds only what was published while one iterator lives, and dropping an element would be
/// a loss that no real StoreKit has.
package final class DaemonStream<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var head = 0
    var ended = false
    var waiter: CheckedContinuation<Element?, Never>?
  }

  private enum Action { case wait, give(Element?) }

  private let state = Mutex(State())
  private let onEnd: @Sendable (_ unread: [Element]) -> Void

  /// `onEnd` is called once, when the reader has gone, with what it left unread.
  package init(onEnd: @escaping @Sendable (_ unread: [Element]) -> Void = { _ in }) { self.onEnd = onEnd }

  deinit { onEnd(state.withLock { Array($0.elements[$0.head...]) }) }

  package func yield(_ element: Element) {
    let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      guard !state.ended else { return nil }
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      state.elements.append(element)
      return nil
    }
    waiter?.resume(returning: element)
  }

  /// No more elements: what is queued is still read, then `next` returns nil for ever.
  package func end() {
    let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      state.ended = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// The next element; nil at the end, and when the calling task is cancelled. One reader at a time.
  package func next() async -> Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let action = state.withLock { state -> Action in
          if state.head < state.elements.count {
            let element = state.elements[state.head]
            state.head += 1
            if state.head == state.elements.count {
              state.elements.removeAll(keepingCapacity: false)
              state.head = 0
            }
            return .give(element)
          }
          if state.ended || Task.isCancelled { return .give(nil) }
          state.waiter = continuation
          return .wait
        }
        if case .give(let element) = action { continuation.resume(returning: element) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: nil)
    }
  }
}
