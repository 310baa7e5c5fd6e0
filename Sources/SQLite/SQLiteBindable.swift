import CSQLite
package import Foundation

/// A value that a statement's parameter can take.
package protocol SQLiteBindable {
  /// Binds the value to parameter `index`, counted from 1, and returns SQLite's result code.
  func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int64: SQLiteBindable {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_int64(statement, index, self)
  }
}

extension String: SQLiteBindable {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    var text = self
    return text.withUTF8 { bytes in
      // An empty buffer may have no address, and SQLite takes no address for NULL.
      guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, nil) }
      return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
        sqlite3_bind_text64(
          statement, index, start, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }
}

extension Data: SQLiteBindable {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), csqlite_transient())
    }
  }
}

extension Optional: SQLiteBindable where Wrapped: SQLiteBindable {
  package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    guard let value = self else { return sqlite3_bind_null(statement, index) }
    return value.bind(to: statement, at: index)
  }
}
