package import Shared
package import Wire

/// The journal in memory, for tests and simulations. It is its own disk: after `close` or `crash`, `recover` opens it
/// again with what was stored.
package final class InMemoryJournal: Journal {
  package enum Operation: Sendable { case recover, read, commit, erase }

  /// Whether a commit is on the disk when it returns, as it must be. Off, only `sync` brings it there: the protection
  /// that a simulation takes away to see that it is needed.
  package var syncsCommits = true
  /// Asked before every operation; an error fails it and nothing is stored.
  package var failure: (Operation) -> JournalError? = { _ in nil }

  private var state = InMemoryJournalState()
  /// What a crash leaves; nil while all of `state` is synced, so that the usual case copies nothing.
  private var synced: InMemoryJournalState?
  private var isOpen = true

  package init() {}

  /// Brings all commits to the disk.
  package func sync() { synced = nil }

  /// The power fails: what was not synced is lost, and the journal is closed.
  package func crash() {
    if let synced { state = synced }
    synced = nil
    isOpen = false
  }

  package func recover() throws(JournalError) -> JournalRecovery {
    if let error = failure(.recover) { throw error }
    isOpen = true
    state.incarnation += 1
    // The count of openings is a write of its own and is synced alone; it never goes back.
    synced?.incarnation = state.incarnation
    return state.recovery
  }

  package func load(_ actor: ActorAddress) throws(JournalError) -> StoredActor {
    try check(.read)
    return state.actors[actor] ?? StoredActor()
  }

  package func activate(_ actor: ActorAddress) throws(JournalError) -> StoredActor {
    var stored = try load(actor)
    guard let snapshot = state.snapshots[actor] else { return stored }
    stored.snapshot = snapshot
    stored.events.removeFirst(Int(snapshot.sequence))
    return stored
  }

  package func records(of actor: ActorAddress, ids: [TransactionID]) throws(JournalError) -> [StoredRecord] {
    try check(.read)
    let wanted = Set(ids)
    return (state.records[actor] ?? []).filter { wanted.contains($0.id) }.sorted { $0.id < $1.id }
  }

  package func records(of actor: ActorAddress, matching query: RecordQuery) throws(JournalError) -> RecordPage {
    try check(.read)
    let all = state.records[actor] ?? []
    var page = RecordPage(cursor: query.after)
    var looks = 0
    for record in query.isDescending ? all.reversed() : all where query.isPast(record.change) {
      // As with an index: what is of another product or type is not looked at.
      if query.products?.contains(record.productId) == false || query.types?.contains(record.type) == false { continue }
      guard page.records.count < query.limit, looks < query.mostLooks else {
        page.hasMore = true
        break
      }
      looks += 1
      page.cursor = record.change
      if query.matches(record) { page.records.append(record) }
    }
    return page
  }

  package func notifications(
    of actor: ActorAddress, matching query: NotificationQuery
  ) throws(JournalError) -> NotificationPage {
    try check(.read)
    let found = (state.notifications[actor] ?? [:]).values.filter { query.matches($0) }.sorted { $0.number < $1.number }
    let events = state.actors[actor]?.events ?? []
    let page = found.prefix(max(0, query.limit)).map { notification in
      var notification = notification
      let sequence = Int(clamping: notification.payloadSequence)
      notification.payloadEvent = sequence > 0 && sequence <= events.count ? events[sequence - 1].body : nil
      return notification
    }
    return NotificationPage(notifications: page, hasMore: found.count > page.count)
  }

  package func events(
    of actor: ActorAddress, after sequence: UInt64, limit: Int
  ) throws(JournalError) -> [JournalEvent] {
    try check(.read)
    guard let events = state.actors[actor]?.events, sequence < UInt64(events.count) else { return [] }
    return Array(events.dropFirst(Int(sequence)).prefix(max(0, limit)))
  }

  package func actors(world: String, kind: ActorAddress.Kind) throws(JournalError) -> [String] {
    try check(.read)
    return state.actors.filter { actor, stored in
      actor.world == world && actor.kind == kind && !stored.events.isEmpty
    }
    .keys.map(\.key).sorted()
  }

  package func commit(_ appends: [JournalAppend]) throws(JournalError) -> [JournalAppendResult] {
    try check(.commit)
    for append in appends { try append.checkAddresses() }
    keepSynced()
    return appends.map { append in append.refusal(by: state) ?? .committed(sequence: state.store(append)) }
  }

  @discardableResult
  package func erase(world: String, keeping: [ActorAddress]) throws(JournalError) -> UInt64 {
    try check(.erase)
    keepSynced()
    return state.erase(world: world, keeping: Set(keeping))
  }

  package func close() { isOpen = false }

  private func keepSynced() {
    if syncsCommits { synced = nil } else if synced == nil { synced = state }
  }

  private func check(_ operation: Operation) throws(JournalError) {
    guard isOpen else { throw JournalError(.failed, "The journal is closed. Open it with recover.") }
    if let error = failure(operation) { throw error }
  }
}
