import SQLite
package import Wire

/// Reads a journal file, also while a node runs on it: nothing is written, and the node is not held up.
///
/// Each call sees one consistent moment. Used from one thread at a time.
package final class SQLiteJournalReader {
  private let database: SQLiteDatabase
  private let tables: SQLiteJournalTables

  init(folder: JournalFolder) throws(JournalError) {
    guard try folder.hasDatabase() else {
      throw JournalError(.unwritable, "There is no journal in \(folder.path). Name the data folder of a server node.")
    }
    database = try inJournal("open") { () throws(SQLiteError) in
      try SQLiteDatabase(path: folder.database, access: .readOnly)
    }
    tables = SQLiteJournalTables(database)
    try SQLiteJournalFormat.check(database)
  }

  /// The worlds that have actors, in order.
  package func worlds() throws(JournalError) -> [String] {
    try snapshot { () throws(SQLiteError) in try tables.worlds() }
  }

  /// Each world's epoch; 1 where nothing is said.
  package func epochs() throws(JournalError) -> [String: UInt64] {
    try snapshot { () throws(SQLiteError) in try tables.epochs() }
  }

  /// Every event of every actor of a world, actor by actor, each in order.
  package func forEachEvent(inWorld world: String, _ body: (ActorAddress, JournalEvent) -> Void) throws(JournalError) {
    try snapshot { () throws(SQLiteError) in
      for (id, address) in try tables.actors(world: world) {
        try tables.forEachEvent(of: id, after: 0, limit: .max) { event in body(address, event) }
      }
    }
  }

  package func load(_ actor: ActorAddress) throws(JournalError) -> StoredActor {
    try snapshot { () throws(SQLiteError) in try tables.load(actor) }
  }

  /// Effects that were committed but not yet applied, in the order of commit.
  package func effects() throws(JournalError) -> [OutboundEffect] {
    try snapshot { () throws(SQLiteError) in try tables.effects() }
  }

  /// Timers that are set, earliest first.
  package func timers() throws(JournalError) -> [StoredTimer] {
    try snapshot { () throws(SQLiteError) in try tables.timers() }
  }

  package func close() { database.close() }

  private func snapshot<Result>(_ body: () throws(SQLiteError) -> Result) throws(JournalError) -> Result {
    // Another process may erase a world in between, and ids would then name other actors.
    tables.forgetActors()
    return try inJournal("read") { () throws(SQLiteError) in try database.transaction(.deferred, body) }
  }
}
