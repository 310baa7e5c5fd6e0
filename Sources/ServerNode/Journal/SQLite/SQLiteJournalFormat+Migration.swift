import SQLite
import Wire

extension SQLiteJournalFormat {
  /// Brings a journal of an earlier version to this one: all in one transaction, or not at all.
  static func bringUpToDate(_ database: SQLiteDatabase, _ tables: SQLiteJournalTables) throws(JournalError) {
    try inJournal("bring up to date") { () throws(SQLiteError) in
      let found = try database.userVersion()
      guard found < version else { return }
      try database.transaction { () throws(SQLiteError) in
        if found < 2 {
          try database.execute(projections)
          try addRecords(tables)
        }
        try database.execute(notifications)
        try database.setUserVersion(version)
      }
    }
  }

  /// Records follow from the events that there are.
  private static func addRecords(_ tables: SQLiteJournalTables) throws(SQLiteError) {
    for world in try tables.worlds() {
      for (id, address) in try tables.actors(world: world) where address.kind == .account {
        var fold = RecordFold()
        try tables.forEachEvent(of: id, after: 0, limit: .max) { event in fold.add(event) }
        try tables.store(fold.records, of: id)
      }
    }
  }
}
