import CSQLite

/// Owns the `sqlite3` pointer. A database and its statements share it, so that it outlives the last of them.
final class SQLiteConnection {
  let path: String
  private(set) var handle: OpaquePointer?

  init(path: String, flags: Int32, vfs: String?) throws(SQLiteError) {
    self.path = path
    let code = sqlite3_open_v2(path, &handle, flags, vfs)
    guard code == SQLITE_OK else {
      let error = error(code, doing: "open")
      close()
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
  }

  deinit { close() }

  func close() {
    sqlite3_close_v2(handle)
    handle = nil
  }

  func check(_ code: Int32, doing: @autoclosure () -> String) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw error(code, doing: doing()) }
  }

  /// Describes `code`, which the last call on this connection returned.
  func error(_ code: Int32, doing: String) -> SQLiteError {
    guard let handle else {
      return SQLiteError(
        code: .init(rawValue: code & 0xff), extendedCode: code, message: String(cString: sqlite3_errstr(code)),
        doing: doing, path: path)
    }
    // Only these codes come from a system call; for others `sqlite3_system_errno` may be left over from an earlier one.
    let primary = code & 0xff
    let fromSystem = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL
    return SQLiteError(
      code: .init(rawValue: primary), extendedCode: code, systemError: fromSystem ? sqlite3_system_errno(handle) : 0,
      message: String(cString: sqlite3_errmsg(handle)), doing: doing, path: path)
  }
}
