import Foundation
import SQLite
import ServerNode
import Shared
import Wire

/// The rows that the journal stores for the same appends, inserted by nothing but SQLite, in transactions of the same
/// size, into the same tables.
final class PlainJournal {
  /// An append with the ids that the rows have.
  struct Row {
    var actor: Int64
    var append: JournalAppend
    /// The effects that the append sends, with the ids of their targets, but for those that the same group applies: the
    /// journal stores no row for them.
    var effects: [(effect: OutboundEffect, target: Int64)]
    var source: Int64
    /// Whether the effect that the append applies has a row.
    var appliesStored: Bool
  }

  private let database: SQLiteDatabase
  private var ids: [ActorAddress: Int64] = [:]
  private var changes: [Int64: Int64] = [:]

  /// `like` is a journal: its tables and indices are made here too.
  init(path: String, like journal: String) throws {
    database = try SQLiteDatabase(path: path)
    try database.useWriteAheadLog()
    try database.setSynchronous(.full)
    try database.execute("PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 4096; PRAGMA cell_size_check = ON;")
    let other = try SQLiteDatabase(path: journal, access: .readOnly)
    var schema: [String] = []
    try other.statement("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").forEachRow { row in
      schema.append(row.string(0))
    }
    other.close()
    for statement in schema { try database.execute(statement) }
  }

  private func id(of actor: ActorAddress) -> Int64 {
    if let id = ids[actor] { return id }
    ids[actor] = Int64(ids.count + 1)
    return Int64(ids.count)
  }

  func prepare(_ groups: [[JournalAppend]]) -> [[Row]] {
    groups.map { group in
      let applied = Set(group.compactMap(\.applies))
      let sent = Set(group.lazy.flatMap(\.effects).map(\.id))
      return group.map { append in
        Row(
          actor: id(of: append.actor), append: append,
          effects: append.effects.filter { !applied.contains($0.id) }.map { ($0, id(of: $0.id.target)) },
          source: append.applies.map { id(of: $0.source) } ?? 0,
          appliesStored: append.applies.map { !sent.contains($0) } ?? false)
      }
    }
  }

  func insert(_ groups: [[Row]]) throws(SQLiteError) {
    for group in groups {
      try database.transaction { () throws(SQLiteError) in
        for row in group { try insert(row) }
      }
    }
  }

  private func insert(_ row: Row) throws(SQLiteError) {
    let append = row.append
    let base = row.actor << 32
    var position = base | Int64(append.expectedSequence)
    for event in append.events {
      position += 1
      try database.statement("INSERT INTO events (position, name, at, body) VALUES (?, ?, ?, ?)")
        .run(position, event.name, event.at, event.body)
    }
    for record in append.records {
      let change = changes[row.actor, default: 0] + 1
      changes[row.actor] = change
      try database.statement("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .run(
          base | change, row.actor, Int64(bitPattern: record.id.rawValue), record.productId, Int64(4), record.group,
          record.purchased.milliseconds, Int64(record.isShared ? 1 : 0), Int64(record.isRevoked ? 1 : 0), record.body)
    }
    if let snapshot = append.snapshot {
      try database.statement("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)")
        .run(row.actor, position & 0xffff_ffff, append.events.last?.at ?? 0, snapshot)
    }
    for change in append.timers {
      switch change {
      case .set(let name, let due):
        try database.statement(
          "INSERT INTO timers VALUES (?, ?, ?) ON CONFLICT (actor, name) DO UPDATE SET due = excluded.due"
        ).run(row.actor, name, due)
      case .clear(let name):
        try database.statement("DELETE FROM timers WHERE actor = ? AND name = ?").run(row.actor, name)
      }
    }
    for (effect, target) in row.effects {
      try database.statement("INSERT INTO outbox (source, target, number, name, body) VALUES (?, ?, ?, ?, ?)")
        .run(row.actor, target, Int64(effect.id.number), effect.name, effect.body)
      try link(row.actor, target, sent: effect.id.number, applied: effect.id.number - 1)
    }
    if let applies = append.applies {
      if row.appliesStored {
        try database.statement("DELETE FROM outbox WHERE source = ? AND target = ? AND number = ?")
          .run(row.source, row.actor, Int64(applies.number))
      }
      try link(row.source, row.actor, sent: applies.number, applied: applies.number)
    }
  }

  private func link(_ source: Int64, _ target: Int64, sent: UInt64, applied: UInt64) throws(SQLiteError) {
    try database.statement(
      """
      INSERT INTO links VALUES (?, ?, ?, ?)
      ON CONFLICT (source, target) DO UPDATE SET sent = excluded.sent, applied = excluded.applied
      """
    ).run(source, target, Int64(sent), Int64(applied))
  }
}
