import CSQLite

/// A prepared statement, made by `SQLiteDatabase.prepare` and used again and again.
package final class SQLiteStatement {
  package let sql: String
  private let connection: SQLiteConnection
  private var handle: OpaquePointer?

  init(_ sql: String, on connection: SQLiteConnection) throws(SQLiteError) {
    self.sql = sql
    self.connection = connection
    guard let database = connection.handle else { throw connection.error(SQLITE_MISUSE, doing: sql) }
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    try connection.check(sqlite3_prepare_v3(database, sql, -1, flags, &handle, nil), doing: sql)
  }

  deinit { finalize() }

  func finalize() {
    sqlite3_finalize(handle)
    handle = nil
  }

  /// Binds `value` to parameter `index`, counted from 1.
  package func bind(_ value: some SQLiteBindable, at index: Int32) throws(SQLiteError) {
    try connection.check(value.bind(to: try open(), at: index), doing: sql)
  }

  /// Goes to the next row; false when there is none. Call `reset` before the next use.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(try open()) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.error(code, doing: sql)
    }
  }

  /// The row that `step` went to.
  package var row: SQLiteRow { SQLiteRow(statement: handle) }

  /// Ends the run and forgets the bound values.
  package func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Binds `values` in order and runs to the end.
  package func run<each Value: SQLiteBindable>(_ values: repeat each Value) throws(SQLiteError) {
    defer { reset() }
    try bindAll(repeat each values)
    while try step() {}
  }

  /// Binds `values` in order and calls `body` for every row.
  package func forEachRow<each Value: SQLiteBindable>(
    _ values: repeat each Value, body: (borrowing SQLiteRow) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    defer { reset() }
    try bindAll(repeat each values)
    while try step() { try body(row) }
  }

  /// Binds `values` in order and reads the first row; nil when there is none.
  package func firstRow<each Value: SQLiteBindable, Result>(
    _ values: repeat each Value, read: (borrowing SQLiteRow) -> Result
  ) throws(SQLiteError) -> Result? {
    defer { reset() }
    try bindAll(repeat each values)
    return try step() ? read(row) : nil
  }

  private func bindAll<each Value: SQLiteBindable>(_ values: repeat each Value) throws(SQLiteError) {
    let statement = try open()
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      try connection.check(value.bind(to: statement, at: index), doing: sql)
    }
  }

  private func open() throws(SQLiteError) -> OpaquePointer {
    guard let handle else { throw connection.error(SQLITE_MISUSE, doing: sql) }
    return handle
  }
}
