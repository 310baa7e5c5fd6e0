import Foundation
import SQLite
import Wire

/// The rows that the journal stores for the same appends, inserted by nothing but SQLite.
final class PlainSQLite {
  private let database: SQLiteDatabase
  private var sequences = [Int64](repeating: 0, count: Workload.actors)

  init(path: String) throws(SQLiteError) {
    database = try SQLiteDatabase(path: path)
    try database.useWriteAheadLog()
    try database.setSynchronous(.full)
    try database.execute(
      """
      PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 4096;
      CREATE TABLE events (position INTEGER PRIMARY KEY, at INTEGER NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL);
      CREATE TABLE answered (position INTEGER PRIMARY KEY, request BLOB NOT NULL, reply BLOB NOT NULL);
      """)
  }

  func run(_ count: Int) throws(SQLiteError) {
    for _ in 0..<count / Workload.inFlight {
      try database.transaction { () throws(SQLiteError) in
        for _ in 0..<Workload.inFlight { try insertNext() }
      }
    }
  }

  private func insertNext() throws(SQLiteError) {
    let actor = Int.random(in: 0..<Workload.actors)
    sequences[actor] += 1
    let position = Int64(actor) << 32 | sequences[actor]
    try database.statement("INSERT INTO events VALUES (?, ?, ?, ?)").run(position, Int64(0), "purchased", Workload.body)
    try database.statement("INSERT INTO answered VALUES (?, ?, ?)")
      .run(position, RequestID(UUID()).bytes, Workload.reply)
  }
}
