import CSQLite

/// One connection to one SQLite file. Used from one thread at a time, which is why it is not `Sendable`.
package final class SQLiteDatabase {
  package enum Access: Sendable {
    /// The file must exist and nothing is written to it.
    case readOnly
    /// The file must exist.
    case readWrite
    /// The file is made when it does not exist.
    case create
  }

  /// How much of a commit is on disk when it returns. https://sqlite.org/pragma.html#pragma_synchronous
  package enum Synchronous: String, Sendable {
    /// Nothing is: a power loss loses commits or the file. For caches, and for tests that must see the loss.
    case off
    /// In WAL mode the file survives a power loss, the last commits may not.
    case normal
    /// The commit survives a power loss.
    case full
  }

  package enum Transaction: String, Sendable {
    /// A consistent snapshot for reads.
    case deferred
    /// Takes the write lock at once.
    case immediate
  }

  private let connection: SQLiteConnection
  private var statements: [SQLiteStatement] = []

  /// `busyTimeoutMilliseconds`: how long to wait for another connection's lock before the call fails as busy.
  /// `vfs` names a registered SQLite VFS; nil is the system's.
  package init(
    path: String, access: Access = .create, busyTimeoutMilliseconds: Int32 = 5_000, vfs: String? = nil
  ) throws(SQLiteError) {
    // No URI flag: a path that starts with `file:` is a path. No mutex: one thread at a time uses the connection.
    let access =
      switch access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    connection = try SQLiteConnection(path: path, flags: access | SQLITE_OPEN_NOMUTEX, vfs: vfs)
    sqlite3_busy_timeout(connection.handle, busyTimeoutMilliseconds)
  }

  deinit { close() }

  package var path: String { connection.path }

  /// Finalises every statement and closes the file; a later call on either throws `misuse`.
  package func close() {
    for statement in statements { statement.finalize() }
    statements = []
    connection.close()
  }

  /// Prepares `sql` once, for use until the database is closed.
  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    let statement = try SQLiteStatement(sql, on: connection)
    statements.append(statement)
    return statement
  }

  /// Runs every statement in `sql` and ignores rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    guard let handle = connection.handle else { throw connection.error(SQLITE_MISUSE, doing: sql) }
    try connection.check(sqlite3_exec(handle, sql, nil, nil, nil), doing: sql)
  }

  /// Runs `body` in a transaction: commits when it returns, rolls back when it or the commit throws.
  package func transaction<Result>(
    _ kind: Transaction = .immediate, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try execute("BEGIN \(kind.rawValue)")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // Some errors, a full disk among them, make SQLite roll back by itself; a second ROLLBACK would be an error.
      if let handle = connection.handle, sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Switches the file to a write-ahead log; throws where the file system cannot do it.
  package func useWriteAheadLog() throws(SQLiteError) {
    let sql = "PRAGMA journal_mode = WAL"
    let mode = try firstRow(of: sql) { row in row.string(0) }
    guard mode == "wal" else {
      throw SQLiteError(
        code: .cannotOpen, message: "the file system does not support a write-ahead log", doing: sql, path: path)
    }
  }

  package func setSynchronous(_ level: Synchronous) throws(SQLiteError) {
    try execute("PRAGMA synchronous = \(level.rawValue)")
  }

  /// The version of the file's format, kept in its header; 0 in a new file.
  package func userVersion() throws(SQLiteError) -> Int32 {
    Int32(truncatingIfNeeded: try firstRow(of: "PRAGMA user_version") { row in row.int64(0) } ?? 0)
  }

  package func setUserVersion(_ version: Int32) throws(SQLiteError) {
    try execute("PRAGMA user_version = \(version)")
  }

  /// Says which program's file this is, kept in its header; 0 in a new file.
  package func applicationID() throws(SQLiteError) -> Int32 {
    Int32(truncatingIfNeeded: try firstRow(of: "PRAGMA application_id") { row in row.int64(0) } ?? 0)
  }

  package func setApplicationID(_ id: Int32) throws(SQLiteError) {
    try execute("PRAGMA application_id = \(id)")
  }

  /// The rowid of the last insert on this connection.
  package var lastInsertedRow: Int64 {
    guard let handle = connection.handle else { return 0 }
    return sqlite3_last_insert_rowid(handle)
  }

  private func firstRow<Result>(
    of sql: String, read: (borrowing SQLiteRow) -> Result
  ) throws(SQLiteError) -> Result? {
    let statement = try SQLiteStatement(sql, on: connection)
    defer { statement.finalize() }
    return try statement.firstRow(read: read)
  }
}
