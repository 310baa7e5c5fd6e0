import Foundation
import SQLite
import Testing

@Suite final class SQLiteWriteAheadLogTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func open(_ access: SQLiteDatabase.Access = .create) throws -> SQLiteDatabase {
    try SQLiteDatabase(path: folder + "/notes.sqlite", access: access, busyTimeoutMilliseconds: 0)
  }

  @Test func aReaderAndAWriterDoNotBlockEachOther() throws {
    let writer = try open()
    try writer.useWriteAheadLog()
    try writer.setSynchronous(.full)
    try writer.execute("CREATE TABLE notes (text TEXT)")
    let reader = try open(.readOnly)
    let counts = try reader.transaction(.deferred) { () throws(SQLiteError) in
      let count = try reader.statement("SELECT count(*) FROM notes")
      let before = try count.firstRow { row in row.int64(0) }
      try writer.execute("INSERT INTO notes VALUES ('a')")
      return [before, try count.firstRow { row in row.int64(0) }]
    }
    #expect(counts == [0, 0], "a transaction sees one moment")
    #expect(try reader.statement("SELECT count(*) FROM notes").firstRow { row in row.int64(0) } == 1)
    #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM notes") }
  }

  @Test func aSecondWriterIsBusy() throws {
    let first = try open()
    try first.execute("CREATE TABLE notes (text TEXT)")
    let second = try open(.readWrite)
    try first.transaction { () throws(SQLiteError) in
      let error = #expect(throws: SQLiteError.self) {
        try second.transaction { () throws(SQLiteError) in }
      }
      #expect(error?.code == .busy)
    }
  }

  @Test func aFileThatIsNoDatabaseIsSaid() throws {
    try Data(repeating: 65, count: 5_000).write(to: URL(fileURLWithPath: folder + "/notes.sqlite"))
    let database = try open()
    let error = #expect(throws: SQLiteError.self) { try database.userVersion() }
    #expect(error?.code == .notADatabase)
  }
}
