import Foundation
import Shared
import Synchronization
import Wire

/// Transactions that were asked for lately, by id, for all threads: until a commit changes them.
///
/// Nothing in here is out of date: the journal's thread forgets what a commit has changed before anybody hears of the
/// commit, and what was read before a change is not kept after it. Two generations bound it: what nobody asks for while
/// the younger fills up is let go.
final class TransactionIndex: Sendable {
  private struct Key: Hashable {
    var world: String
    var id: TransactionID

    /// Of the number alone: worlds are few.
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// What must not have changed between a read and its being kept.
  struct Stamp: Sendable {
    fileprivate var slot: Int
    fileprivate var changes: UInt64
  }

  private struct State {
    var young: [Key: KnownTransaction] = [:]
    var old: [Key: KnownTransaction] = [:]
    /// How often something was forgotten, by a hash of what.
    var changes = [UInt64](repeating: 0, count: TransactionIndex.slotCount)
  }

  private static let slotCount = 4_096
  private let state = Mutex(State())
  private let most: Int

  /// - Parameter most: Of a generation. With the answers about them, about 5 kB each.
  init(most: Int = 12_000) { self.most = most }

  func find(_ id: TransactionID, in world: String) -> KnownTransaction? {
    let key = Key(world: world, id: id)
    return state.withLock { state in
      if let known = state.young[key] { return known }
      guard let known = state.old[key] else { return nil }
      put(known, for: key, in: &state)
      return known
    }
  }

  /// To be taken before the journal is read.
  func stamp(of id: TransactionID) -> Stamp {
    let slot = TransactionIndex.slot(of: id)
    return Stamp(slot: slot, changes: state.withLock { $0.changes[slot] })
  }

  /// Keeps what was read, unless it may have changed since.
  func keep(_ known: KnownTransaction, since stamp: Stamp) {
    let key = Key(world: known.account.world, id: known.record.transactionId)
    state.withLock { state in
      guard state.changes[stamp.slot] == stamp.changes else { return }
      put(known, for: key, in: &state)
    }
  }

  func forget(_ ids: [TransactionID], in world: String) {
    guard !ids.isEmpty else { return }
    state.withLock { state in
      for id in ids {
        let key = Key(world: world, id: id)
        state.young[key] = nil
        state.old[key] = nil
        state.changes[TransactionIndex.slot(of: id)] &+= 1
      }
    }
  }

  func forgetAll(in world: String) {
    state.withLock { state in
      state.young = state.young.filter { $0.key.world != world }
      state.old = state.old.filter { $0.key.world != world }
      for slot in state.changes.indices { state.changes[slot] &+= 1 }
    }
  }

  private func put(_ known: KnownTransaction, for key: Key, in state: inout State) {
    state.young[key] = known
    guard state.young.count >= most else { return }
    state.old = state.young
    state.young = [:]
  }

  private static func slot(of id: TransactionID) -> Int {
    Int(truncatingIfNeeded: (id.rawValue &* 0x9E37_79B9_7F4A_7C15) >> 52)
  }
}
