import Foundation
import Synchronization
import Wire

/// The newest keys, and what each was used for: an actor knows an answered request by its id alone, and would answer
/// another one under the same id with the first one's reply.
final class IdempotencyKeys: Sendable {
  private static let mostKept = 20_000

  private struct State {
    var uses: [RequestID: Int] = [:]
    var order: [RequestID] = []
    /// Where the oldest key is in `order`.
    var oldest = 0
  }

  private let state = Mutex(State())

  /// - Throws: `keyReused` when the key was another request's.
  func use(_ id: RequestID, _ name: String, _ address: ActorAddress, _ body: Data) throws(WireError) {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(address)
    // All of it: a Data's own hash looks at its beginning only.
    body.withUnsafeBytes { hasher.combine(bytes: $0) }
    let use = hasher.finalize()
    let isSame = state.withLock { state -> Bool in
      if let before = state.uses[id] { return before == use }
      state.uses[id] = use
      state.order.append(id)
      if state.order.count - state.oldest > IdempotencyKeys.mostKept {
        state.uses[state.order[state.oldest]] = nil
        state.oldest += 1
      }
      if state.oldest > IdempotencyKeys.mostKept {
        state.order.removeFirst(state.oldest)
        state.oldest = 0
      }
      return true
    }
    guard isSame else {
      throw WireError(
        .keyReused, "the Idempotency-Key \(id) was another request's: a new request needs a new key")
    }
  }
}
