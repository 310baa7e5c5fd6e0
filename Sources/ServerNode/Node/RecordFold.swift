import Shared

/// The transactions of an account, from nothing but its events: in the order of their last modification.
struct RecordFold {
  private var state = AccountState()
  private var changed: [TransactionID: Int] = [:]
  private var count = 0

  /// An event that cannot be read adds nothing; the account says so when it is loaded.
  mutating func add(_ event: JournalEvent) {
    guard let kind = AccountEvent.Kind(rawValue: event.name),
      let decoded = try? AccountEvent.decode(kind: kind, body: event.body)
    else { return }
    state.evolve(decoded)
    if kind == .reset { changed = [:] }
    for id in decoded.records.map(\.transactionId) + decoded.finished {
      count += 1
      changed[id] = count
    }
  }

  var records: [StoredRecord] {
    changed.sorted { $0.value < $1.value }.compactMap { state.history[$0.key] }.map { StoredRecord($0, body: $0.json) }
  }
}
