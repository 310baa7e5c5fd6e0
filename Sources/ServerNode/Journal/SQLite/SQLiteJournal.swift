package import SQLite
package import Shared
package import Wire

/// The journal in one SQLite file of a data folder: write-ahead log, one fsync a commit. See docs/journal.md.
package final class SQLiteJournal: Journal {
  private let database: SQLiteDatabase
  private let tables: SQLiteJournalTables
  private let lock: JournalLock

  /// Opens the journal in `folder`, and makes folder and journal where they are missing. Throws `busy` while another
  /// process, or another journal of this one, has it open.
  package convenience init(folder: String) throws(JournalError) {
    try self.init(folder: folder, synchronous: .full, vfs: nil)
  }

  /// For tests that look below the journal: `vfs` names a registered SQLite VFS, and less than `full` loses commits at
  /// a power loss.
  package init(folder path: String, synchronous: SQLiteDatabase.Synchronous, vfs: String?) throws(JournalError) {
    let folder = JournalFolder(path: path)
    try folder.make()
    lock = try JournalLock(folder)
    if try !folder.hasDatabase() { try SQLiteJournal.create(in: folder, synchronous, vfs: vfs) }
    let database = try inJournal("open") { () throws(SQLiteError) in
      try SQLiteDatabase(path: folder.database, access: .readWrite, vfs: vfs)
    }
    try SQLiteJournalFormat.check(database)
    try inJournal("open") { () throws(SQLiteError) in
      try database.useWriteAheadLog()
      try database.setSynchronous(synchronous)
      // 32 MiB of pages; a log of about 16 MiB before it is copied back, since busy pages are then copied once for
      // many commits; and one that grew in a long read is cut back.
      try database.execute(
        """
        PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 4096; PRAGMA journal_size_limit = 33554432;
        PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
        """)
    }
    self.database = database
    tables = SQLiteJournalTables(database)
    try SQLiteJournalFormat.bringUpToDate(database, tables)
  }

  /// Opens the journal in `folder` for reading only, also while a node runs on it.
  package static func readOnly(at folder: String) throws(JournalError) -> SQLiteJournalReader {
    try SQLiteJournalReader(folder: JournalFolder(path: folder))
  }

  package func recover() throws(JournalError) -> JournalRecovery {
    try write { () throws(SQLiteError) in
      JournalRecovery(
        incarnation: try tables.nextIncarnation(), epochs: try tables.epochs(), worlds: try tables.madeWorlds(),
        timers: try tables.timers(), effects: try tables.effects(),
        notifying: try tables.notifyingWorlds())
    }
  }

  package func load(_ actor: ActorAddress) throws(JournalError) -> StoredActor {
    try inJournal("read") { () throws(SQLiteError) in try tables.load(actor) }
  }

  package func activate(_ actor: ActorAddress) throws(JournalError) -> StoredActor {
    tables.forgetTooMany()
    return try inJournal("read") { () throws(SQLiteError) in try tables.activate(actor) }
  }

  package func records(of actor: ActorAddress, ids: [TransactionID]) throws(JournalError) -> [StoredRecord] {
    try inJournal("read") { () throws(SQLiteError) in try tables.records(of: actor, ids: ids) }
  }

  package func records(of actor: ActorAddress, matching query: RecordQuery) throws(JournalError) -> RecordPage {
    try inJournal("read") { () throws(SQLiteError) in try tables.records(of: actor, matching: query) }
  }

  package func notifications(
    of actor: ActorAddress, matching query: NotificationQuery
  ) throws(JournalError) -> NotificationPage {
    try inJournal("read") { () throws(SQLiteError) in try tables.notifications(of: actor, matching: query) }
  }

  package func events(
    of actor: ActorAddress, after sequence: UInt64, limit: Int
  ) throws(JournalError) -> [JournalEvent] {
    try inJournal("read") { () throws(SQLiteError) in
      var events: [JournalEvent] = []
      guard let id = try tables.id(of: actor) else { return events }
      try tables.forEachEvent(of: id, after: sequence, limit: limit) { event in events.append(event) }
      return events
    }
  }

  package func actors(world: String, kind: ActorAddress.Kind) throws(JournalError) -> [String] {
    try inJournal("read") { () throws(SQLiteError) in try tables.keys(world: world, kind: kind) }
  }

  package func commit(_ appends: [JournalAppend]) throws(JournalError) -> [JournalAppendResult] {
    // By index, since a loop over the elements copies each of them, here a thousand times.
    for index in appends.indices { try appends[index].checkAddresses() }
    return try write { () throws(SQLiteError) in
      var results: [JournalAppendResult] = []
      results.reserveCapacity(appends.count)
      tables.begin(appends)
      for index in appends.indices {
        if let refusal = try appends[index].refusal(by: tables) {
          results.append(refusal)
        } else {
          results.append(.committed(sequence: try tables.store(appends[index])))
        }
      }
      try tables.end()
      return results
    }
  }

  @discardableResult
  package func erase(world: String, keeping: [ActorAddress]) throws(JournalError) -> UInt64 {
    try write { () throws(SQLiteError) in try tables.erase(world: world, keeping: Set(keeping)) }
  }

  package func close() {
    database.close()
    lock.release()
  }

  private func write<Result>(_ body: () throws(SQLiteError) -> Result) throws(JournalError) -> Result {
    tables.forgetTooMany()
    return try inJournal("write") { () throws(SQLiteError) in
      do throws(SQLiteError) {
        return try database.transaction(.immediate, body)
      } catch {
        // Ids that the transaction gave out are gone with it.
        tables.forgetActors()
        throw error
      }
    }
  }

  private static func create(
    in folder: JournalFolder, _ synchronous: SQLiteDatabase.Synchronous, vfs: String?
  ) throws(JournalError) {
    folder.removeUnfinished()
    try inJournal("make") { () throws(SQLiteError) in
      let database = try SQLiteDatabase(path: folder.unfinished, access: .create, vfs: vfs)
      defer { database.close() }
      try database.setSynchronous(synchronous)
      try SQLiteJournalFormat.create(in: database)
    }
    try folder.finish()
  }
}
