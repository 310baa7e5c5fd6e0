import Foundation
import Shared
import Synchronization

/// What was signed lately, by revision: a change of a record has another key, so nothing in here is ever out of date.
///
/// Shared by all threads; bounded by bytes. Two generations: what is not asked for while the younger fills up is let go.
final class SignatureCache: Sendable {
  struct Key: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case transaction
      case renewalInfo
    }
    var kind: Kind
    var id: TransactionID
    var revision: UInt64

    init(_ kind: Kind, _ id: TransactionID, _ revision: UInt64) {
      self.kind = kind
      self.id = id
      self.revision = revision
    }
  }

  private struct State {
    var young: [Key: Data] = [:]
    var old: [Key: Data] = [:]
    var byteCount = 0
  }

  private let state = Mutex(State())
  private let mostBytes: Int

  /// - Parameter mostBytes: Of a generation.
  init(mostBytes: Int = 32 << 20) { self.mostBytes = mostBytes }

  subscript(key: Key) -> Data? {
    get {
      state.withLock { state in
        if let copy = state.young[key] { return copy }
        guard let copy = state.old[key] else { return nil }
        keep(copy, for: key, in: &state)
        return copy
      }
    }
    set {
      guard let newValue else { return }
      state.withLock { keep(newValue, for: key, in: &$0) }
    }
  }

  private func keep(_ copy: Data, for key: Key, in state: inout State) {
    guard state.young.updateValue(copy, forKey: key) == nil else { return }
    state.byteCount += copy.count
    guard state.byteCount > mostBytes else { return }
    state.old = state.young
    state.young = [:]
    state.byteCount = 0
  }
}
