import CSQLite
package import Foundation

/// The row that a statement stands on. It cannot be kept: it is valid until the statement moves on.
/// Columns count from 0; a column of another type, or one that does not exist, reads as SQLite converts it.
package struct SQLiteRow: ~Copyable {
  let statement: OpaquePointer?

  package func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  package func string(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  package func data(_ column: Int32) -> Data {
    guard let start = sqlite3_column_blob(statement, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
