import Foundation
import SQLite
import Wire

/// The journal's tables in the journal's words: here what is read, in `SQLiteJournalTables+Write` what is written.
final class SQLiteJournalTables {
  /// Addresses whose ids are kept at hand; beyond it all are looked up anew, so that memory stays bounded.
  private static let keptIDs = 65_536

  let database: SQLiteDatabase
  private var ids: [ActorAddress: Int64] = [:]
  /// The two that were looked up last: an append is about one actor, or about two.
  private var lastIDs: (newer: (actor: ActorAddress, id: Int64)?, older: (actor: ActorAddress, id: Int64)?) = (nil, nil)
  /// By actor: how many events it has, and how many changes its records had; kept at hand as the ids are.
  var sequences: [Int64: UInt64] = [:]
  var changeCounts: [Int64: UInt64] = [:]
  /// The numbers of the last effects from one actor to another.
  private(set) var links: [LinkEnds: Link] = [:]

  /// While a commit is being stored: effects that a later append of it applies. They never get into the outbox.
  var passing: [EffectID: OutboundEffect?] = [:]

  struct LinkEnds: Hashable {
    var source: Int64
    var target: Int64
  }

  struct Link {
    var sent: UInt64 = 0
    var applied: UInt64 = 0
  }

  init(_ database: SQLiteDatabase) { self.database = database }

  /// The actor's id in the file; nil when it was never stored.
  func id(of actor: ActorAddress) throws(SQLiteError) -> Int64? {
    if let last = lastIDs.newer, last.actor == actor { return last.id }
    if let last = lastIDs.older, last.actor == actor {
      lastIDs = (last, lastIDs.newer)
      return last.id
    }
    if let id = ids[actor] {
      lastIDs = ((actor, id), lastIDs.newer)
      return id
    }
    let select = try database.statement("SELECT id FROM actors WHERE world = ? AND kind = ? AND key = ?")
    let id = try select.firstRow(actor.world, actor.kind.rawValue, actor.key) { row in row.int64(0) }
    if let id { keep(id, of: actor) }
    return id
  }

  func keep(_ id: Int64, of actor: ActorAddress) { ids[actor] = id }

  /// To be called between transactions, so that what one has noted stays to its end.
  func forgetTooMany() {
    if max(ids.count, links.count) >= SQLiteJournalTables.keptIDs { forgetActors() }
  }

  /// To be called when ids may have changed: after a rollback, after an erase, when another process writes.
  func forgetActors() {
    ids.removeAll(keepingCapacity: true)
    lastIDs = (nil, nil)
    sequences.removeAll(keepingCapacity: true)
    changeCounts.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
  }

  func load(_ actor: ActorAddress) throws(SQLiteError) -> StoredActor {
    var stored = StoredActor()
    guard let id = try id(of: actor) else { return stored }
    try forEachEvent(of: id, after: 0, limit: .max) { event in stored.events.append(event) }
    try loadLinks(of: id, into: &stored)
    return stored
  }

  func activate(_ actor: ActorAddress) throws(SQLiteError) -> StoredActor {
    var stored = StoredActor()
    guard let id = try id(of: actor) else { return stored }
    stored.snapshot = try database.statement("SELECT sequence, at, body FROM snapshots WHERE actor = ?")
      .firstRow(id) { row in StoredSnapshot(sequence: row.uint64(0), at: row.int64(1), body: row.data(2)) }
    try forEachEvent(of: id, after: stored.snapshot?.sequence ?? 0, limit: .max) { event in
      stored.events.append(event)
    }
    try loadLinks(of: id, into: &stored)
    return stored
  }

  private func loadLinks(of id: Int64, into stored: inout StoredActor) throws(SQLiteError) {
    let answered = try database.statement(
      "SELECT request, reply FROM answered WHERE position > ? AND position <= ? ORDER BY position")
    try answered.forEachRow(RowPosition.before(id), RowPosition.last(id)) { row in
      // A row whose request is no id is damage that no retry can ask for.
      guard let request = RequestID(bytes: row.data(0)) else { return }
      stored.answered.append(AnsweredRequest(id: request, reply: row.data(1)))
    }
    let sent = try database.statement(
      "SELECT world, kind, key, sent FROM links JOIN actors ON actors.id = target WHERE source = ? AND sent > 0")
    try sent.forEachRow(id) { row in stored.sent[row.address(0)] = row.uint64(3) }
    let applied = try database.statement(
      "SELECT world, kind, key, applied FROM links JOIN actors ON actors.id = source WHERE target = ? AND applied > 0")
    try applied.forEachRow(id) { row in stored.applied[row.address(0)] = row.uint64(3) }
  }

  func forEachEvent(
    of id: Int64, after sequence: UInt64, limit: Int, _ body: (JournalEvent) -> Void
  ) throws(SQLiteError) {
    let select = try database.statement(
      "SELECT position, name, at, body FROM events WHERE position > ? AND position <= ? ORDER BY position LIMIT ?")
    try select.forEachRow(RowPosition.at(id, sequence), RowPosition.last(id), Int64(max(0, limit))) { row in
      body(
        JournalEvent(
          sequence: RowPosition.count(row.int64(0)), name: row.string(1), at: row.int64(2), body: row.data(3)))
    }
  }

  /// The keys of the actors of one kind that have events, in order.
  func keys(world: String, kind: ActorAddress.Kind) throws(SQLiteError) -> [String] {
    var keys: [String] = []
    let select = try database.statement(
      """
      SELECT key FROM actors WHERE world = ? AND kind = ? AND EXISTS (
        SELECT 1 FROM events WHERE position > (actors.id << 32) AND position <= (actors.id << 32 | 4294967295)
      ) ORDER BY key
      """)
    try select.forEachRow(world, kind.rawValue) { row in keys.append(row.string(0)) }
    return keys
  }

  /// Every actor of a world that has anything stored, with its id, in order.
  func actors(world: String) throws(SQLiteError) -> [(id: Int64, address: ActorAddress)] {
    var actors: [(id: Int64, address: ActorAddress)] = []
    let select = try database.statement(
      "SELECT world, kind, key, id FROM actors WHERE world = ? ORDER BY world, kind, key")
    try select.forEachRow(world) { row in actors.append((row.int64(3), row.address(0))) }
    return actors
  }

  func worlds() throws(SQLiteError) -> [String] {
    var worlds: [String] = []
    try database.statement("SELECT DISTINCT world FROM actors ORDER BY world").forEachRow { row in
      worlds.append(row.string(0))
    }
    return worlds
  }

  /// Worlds with an actor of their own: those that were made.
  func madeWorlds() throws(SQLiteError) -> [String] {
    var worlds: [String] = []
    let select = try database.statement("SELECT world FROM actors WHERE kind = 'world' AND key = world ORDER BY world")
    try select.forEachRow { row in worlds.append(row.string(0)) }
    return worlds
  }

  func epochs() throws(SQLiteError) -> [String: UInt64] {
    var epochs: [String: UInt64] = [:]
    try database.statement("SELECT world, epoch FROM epochs").forEachRow { row in epochs[row.string(0)] = row.uint64(1)
    }
    return epochs
  }

  func timers() throws(SQLiteError) -> [StoredTimer] {
    var timers: [StoredTimer] = []
    let select = try database.statement(
      """
      SELECT world, kind, key, name, due FROM timers JOIN actors ON actors.id = actor
      ORDER BY due, world, kind, key, name
      """)
    try select.forEachRow { row in
      timers.append(StoredTimer(actor: row.address(0), name: row.string(3), due: row.int64(4)))
    }
    return timers
  }

  func effects() throws(SQLiteError) -> [OutboundEffect] {
    var effects: [OutboundEffect] = []
    let select = try database.statement(
      """
      SELECT s.world, s.kind, s.key, t.world, t.kind, t.key, number, name, body
      FROM outbox JOIN actors AS s ON s.id = source JOIN actors AS t ON t.id = target ORDER BY outbox.id
      """)
    try select.forEachRow { row in
      let id = EffectID(source: row.address(0), target: row.address(3), number: row.uint64(6))
      effects.append(OutboundEffect(id: id, name: row.string(7), body: row.data(8)))
    }
    return effects
  }
}

extension SQLiteJournalTables: JournalLookup {
  func sequence(of actor: ActorAddress) throws(SQLiteError) -> UInt64 {
    guard let id = try id(of: actor) else { return 0 }
    if let known = sequences[id] { return known }
    let select = try database.statement(
      "SELECT position FROM events WHERE position > ? AND position <= ? ORDER BY position DESC LIMIT 1")
    let last = try select.firstRow(RowPosition.before(id), RowPosition.last(id)) { row in row.int64(0) }
    return RowPosition.count(last ?? 0)
  }

  func reply(of actor: ActorAddress, to request: RequestID) throws(SQLiteError) -> AnsweredRequest? {
    guard let id = try id(of: actor) else { return nil }
    let select = try database.statement(
      "SELECT reply FROM answered WHERE position > ? AND position <= ? AND request = ?")
    return try select.firstRow(RowPosition.before(id), RowPosition.last(id), request.bytes) { row in
      AnsweredRequest(id: request, reply: row.data(0))
    }
  }

  func sent(from source: ActorAddress, to target: ActorAddress) throws(SQLiteError) -> UInt64 {
    try link(from: source, to: target).sent
  }

  func applied(from source: ActorAddress, to target: ActorAddress) throws(SQLiteError) -> UInt64 {
    try link(from: source, to: target).applied
  }

  /// What was sent and not applied is in the outbox; erasing takes away both.
  func isWaiting(_ effect: EffectID) throws(SQLiteError) -> Bool {
    let link = try link(from: effect.source, to: effect.target)
    return effect.number > link.applied && effect.number <= link.sent
  }

  private func link(from source: ActorAddress, to target: ActorAddress) throws(SQLiteError) -> Link {
    guard let source = try id(of: source), let target = try id(of: target) else { return Link() }
    if let known = links[LinkEnds(source: source, target: target)] { return known }
    let select = try database.statement("SELECT sent, applied FROM links WHERE source = ? AND target = ?")
    let stored = try select.firstRow(source, target) { row in Link(sent: row.uint64(0), applied: row.uint64(1)) }
    keep(stored ?? Link(), from: source, to: target)
    return stored ?? Link()
  }

  func keep(_ link: Link, from source: Int64, to target: Int64) {
    links[LinkEnds(source: source, target: target)] = link
  }
}

extension SQLiteRow {
  /// Reads world, kind and key from three columns.
  fileprivate borrowing func address(_ column: Int32) -> ActorAddress {
    ActorAddress(
      world: string(column), kind: ActorAddress.Kind(rawValue: string(column + 1)), key: string(column + 2))
  }

  borrowing func uint64(_ column: Int32) -> UInt64 { UInt64(clamping: int64(column)) }
}
