import StoreKitTest

/// A listener as apps have it: everything that comes through `Transaction.updates` is noted and finished.
@MainActor final class ListeningApp {
  private(set) var seen: [Transaction] = []
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var task: Task<Void, Never>?

  init() {
    task = Task.detached { [weak self] in
      for await result in Transaction.updates {
        let transaction = result.unsafePayloadValue
        await transaction.finish()
        guard let self else { return }
        await self.note(transaction)
      }
    }
  }

  deinit { task?.cancel() }

  func stop() { task?.cancel() }

  private func note(_ transaction: Transaction) {
    seen.append(transaction)
    let ready = waiting.filter { $0.count <= seen.count }
    waiting.removeAll { $0.count <= seen.count }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// The first `count` elements, once they have come.
  func first(_ count: Int) async -> [Transaction] {
    if seen.count < count {
      await withCheckedContinuation { waiting.append((count, $0)) }
    }
    return Array(seen.prefix(count))
  }
}
