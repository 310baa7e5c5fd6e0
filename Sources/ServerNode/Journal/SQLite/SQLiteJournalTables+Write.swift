import Foundation
import SQLite
import Wire

/// Every function here runs inside a transaction of the caller.
extension SQLiteJournalTables {
  /// Before the appends of a commit are stored. An effect that one of them applies and one before it has sent is not
  /// written and deleted again within the transaction.
  func begin(_ appends: [JournalAppend]) {
    passing.removeAll(keepingCapacity: true)
    guard appends.count > 1 else { return }
    for index in appends.indices {
      if let applies = appends[index].applies { passing[applies] = .some(nil) }
    }
  }

  /// After the last append of a commit. Where the one that was to apply an effect was refused, the effect waits after
  /// all.
  func end() throws(SQLiteError) {
    let waiting = passing.values.compactMap { $0 }
    passing.removeAll(keepingCapacity: true)
    for effect in waiting.sorted(by: { $0.id.number < $1.id.number }) {
      try store(effect, from: try makeID(of: effect.id.source))
    }
  }

  /// Stores an append that nothing speaks against, and returns how many events the actor then has.
  func store(_ append: JournalAppend) throws(SQLiteError) -> UInt64 {
    let actor = try makeID(of: append.actor)
    let sequence = try store(append.events, of: actor, after: append.expectedSequence)
    if append.forgetsRecords { try forgetRecords(of: actor) }
    if !append.records.isEmpty { try store(append.records, of: actor) }
    if !append.notifications.isEmpty { try store(append.notifications, of: actor) }
    if let body = append.snapshot { try store(body, of: actor, at: append.events.last?.at ?? .min, sequence) }
    if let answered = append.answered { try store(answered, of: actor) }
    sequences[actor] = sequence
    for change in append.timers { try store(change, of: actor) }
    for effect in append.effects { try store(effect, from: actor) }
    if let applies = append.applies { try removeApplied(applies, target: actor) }
    return sequence
  }

  /// Deletes all of a world's actors but `keeping`, and returns the world's new epoch.
  func erase(world: String, keeping: Set<ActorAddress>) throws(SQLiteError) -> UInt64 {
    let erased = try actors(world: world).filter { actor in !keeping.contains(actor.address) }.map(\.id)
    forgetActors()
    try removeEffects(ofAnyIn: Set(erased))
    for id in erased {
      for table in try [
        database.statement("DELETE FROM events WHERE position > ? AND position <= ?"),
        database.statement("DELETE FROM answered WHERE position > ? AND position <= ?"),
        database.statement("DELETE FROM records WHERE position > ? AND position <= ?"),
        database.statement("DELETE FROM notifications WHERE position > ? AND position <= ?"),
      ] {
        try table.run(RowPosition.before(id), RowPosition.last(id))
      }
      try database.statement("DELETE FROM changes WHERE actor = ?").run(id)
      try database.statement("DELETE FROM snapshots WHERE actor = ?").run(id)
      try database.statement("DELETE FROM timers WHERE actor = ?").run(id)
      try database.statement("DELETE FROM links WHERE source = ?").run(id)
      try database.statement("DELETE FROM links WHERE target = ?").run(id)
      try database.statement("DELETE FROM actors WHERE id = ?").run(id)
    }
    let raise = try database.statement(
      "INSERT INTO epochs VALUES (?, 2) ON CONFLICT (world) DO UPDATE SET epoch = epoch + 1 RETURNING epoch")
    return UInt64(clamping: try raise.firstRow(world) { row in row.int64(0) } ?? 2)
  }

  /// Counts one more opening and returns the count.
  func nextIncarnation() throws(SQLiteError) -> UInt64 {
    let raise = try database.statement(
      "UPDATE meta SET value = value + 1 WHERE name = 'incarnation' RETURNING value")
    guard let incarnation = try raise.firstRow(read: { row in row.int64(0) }) else {
      throw SQLiteError(
        code: .corrupt, message: "the count of openings is missing", doing: raise.sql, path: database.path)
    }
    return UInt64(clamping: incarnation)
  }

  private func makeID(of actor: ActorAddress) throws(SQLiteError) -> Int64 {
    if let id = try id(of: actor) { return id }
    let insert = try database.statement("INSERT INTO actors (world, kind, key) VALUES (?, ?, ?)")
    try insert.run(actor.world, actor.kind.rawValue, actor.key)
    let id = database.lastInsertedRow
    guard id <= RowPosition.maximumActor else { throw tooMany("actors in one journal", RowPosition.maximumActor) }
    keep(id, of: actor)
    return id
  }

  private func store(
    _ events: [JournalEvent], of actor: Int64, after last: UInt64
  ) throws(SQLiteError) -> UInt64 {
    guard last + UInt64(events.count) <= RowPosition.maximumCount else {
      throw tooMany("events of one actor", Int64(RowPosition.maximumCount))
    }
    var sequence = last
    let insert = try database.statement("INSERT INTO events (position, name, at, body) VALUES (?, ?, ?, ?)")
    for event in events {
      sequence += 1
      try insert.run(RowPosition.at(actor, sequence), event.name, event.at, event.body)
    }
    return sequence
  }

  private func store(_ answered: AnsweredRequest, of actor: Int64) throws(SQLiteError) {
    let select = try database.statement(
      "SELECT position FROM answered WHERE position > ? AND position <= ? ORDER BY position DESC LIMIT 1")
    let last = try select.firstRow(RowPosition.before(actor), RowPosition.last(actor)) { row in row.int64(0) }
    let count = RowPosition.count(last ?? 0) + 1
    guard count <= RowPosition.maximumCount else {
      throw tooMany("answered requests of one actor", Int64(RowPosition.maximumCount))
    }
    let insert = try database.statement("INSERT INTO answered (position, request, reply) VALUES (?, ?, ?)")
    try insert.run(RowPosition.at(actor, count), answered.id.bytes, answered.reply)
    guard count > AnsweredRequest.keptPerActor else { return }
    let oldest = count - UInt64(AnsweredRequest.keptPerActor)
    let prune = try database.statement("DELETE FROM answered WHERE position > ? AND position <= ?")
    try prune.run(RowPosition.before(actor), RowPosition.at(actor, oldest))
  }

  private func store(_ change: TimerChange, of actor: Int64) throws(SQLiteError) {
    switch change {
    case .set(let name, let due):
      let set = try database.statement(
        "INSERT INTO timers VALUES (?, ?, ?) ON CONFLICT (actor, name) DO UPDATE SET due = excluded.due")
      try set.run(actor, name, due)
    case .clear(let name):
      try database.statement("DELETE FROM timers WHERE actor = ? AND name = ?").run(actor, name)
    }
  }

  private func store(_ effect: OutboundEffect, from source: Int64) throws(SQLiteError) {
    let target = try makeID(of: effect.id.target)
    let ends = LinkEnds(source: source, target: target)
    var link = links[ends] ?? Link()
    link.sent = max(link.sent, effect.id.number)
    keep(link, from: source, to: target)
    if passing[effect.id] != nil {
      passing[effect.id] = effect
      return
    }
    let insert = try database.statement(
      "INSERT INTO outbox (source, target, number, name, body) VALUES (?, ?, ?, ?, ?)")
    try insert.run(source, target, Int64(clamping: effect.id.number), effect.name, effect.body)
    try store(link, from: source, to: target)
  }

  private func removeApplied(_ effect: EffectID, target: Int64) throws(SQLiteError) {
    let source = try makeID(of: effect.source)
    let hasPassed = passing.removeValue(forKey: effect).flatMap { $0 } != nil
    if !hasPassed {
      try database.statement("DELETE FROM outbox WHERE source = ? AND target = ? AND number = ?")
        .run(source, target, Int64(clamping: effect.number))
    }
    // Judged before, so it is known.
    var link = links[LinkEnds(source: source, target: target)] ?? Link(sent: effect.number)
    link.applied = effect.number
    keep(link, from: source, to: target)
    try store(link, from: source, to: target)
  }

  private func store(_ link: Link, from source: Int64, to target: Int64) throws(SQLiteError) {
    let store = try database.statement(
      """
      INSERT INTO links VALUES (?, ?, ?, ?)
      ON CONFLICT (source, target) DO UPDATE SET sent = excluded.sent, applied = excluded.applied
      """)
    try store.run(source, target, Int64(clamping: link.sent), Int64(clamping: link.applied))
  }

  /// The outbox holds only what is on its way, so that reading all of it is cheaper than an index on every target.
  private func removeEffects(ofAnyIn erased: Set<Int64>) throws(SQLiteError) {
    var effects: [Int64] = []
    try database.statement("SELECT id, source, target FROM outbox").forEachRow { row in
      if erased.contains(row.int64(1)) || erased.contains(row.int64(2)) { effects.append(row.int64(0)) }
    }
    let delete = try database.statement("DELETE FROM outbox WHERE id = ?")
    for id in effects { try delete.run(id) }
  }

  func tooMany(_ what: String, _ limit: Int64) -> SQLiteError {
    SQLiteError(code: .tooBig, message: "more than \(limit) \(what)", doing: "append", path: database.path)
  }
}
