import Foundation
import SQLite
import Testing

@Suite struct SQLiteDatabaseTests {
  private let database: SQLiteDatabase

  init() throws {
    database = try SQLiteDatabase(path: ":memory:")
    try database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL, body BLOB)")
  }

  private func insert(_ text: String, _ body: Data? = nil) throws {
    try database.statement("INSERT INTO notes (text, body) VALUES (?, ?)").run(text, body)
  }

  private func texts() throws -> [String] {
    var texts: [String] = []
    try database.statement("SELECT text FROM notes ORDER BY id").forEachRow { row in texts.append(row.string(0)) }
    return texts
  }

  @Test(arguments: ["", "plain", "with \u{0} inside", "🛒"])
  func textComesBackAsItWas(_ text: String) throws {
    try insert(text)
    #expect(try texts() == [text])
  }

  @Test(arguments: [Data(), Data([0]), Data(0...255)])
  func dataComesBackAsItWas(_ data: Data) throws {
    try insert("", data)
    let found = try database.statement("SELECT body FROM notes").firstRow { row in (row.isNull(0), row.data(0)) }
    #expect(found?.0 == false)
    #expect(found?.1 == data)
  }

  @Test func aSliceOfDataIsStoredAlone() throws {
    try insert("", Data(0...9)[3..<5])
    #expect(try database.statement("SELECT body FROM notes").firstRow { row in row.data(0) } == Data([3, 4]))
  }

  @Test func nilIsNull() throws {
    try insert("")
    #expect(try database.statement("SELECT body FROM notes").firstRow { row in row.isNull(0) } == true)
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func integersComeBackAsTheyWere(_ number: Int64) throws {
    #expect(try database.statement("SELECT ?").firstRow(number) { row in row.int64(0) } == number)
  }

  @Test func aStatementIsPreparedOnceAndForgetsItsValues() throws {
    func insertEmpty() throws -> SQLiteStatement { try database.statement("INSERT INTO notes (text) VALUES (?)") }
    #expect(try insertEmpty() === insertEmpty())
    try insertEmpty().run("value")
    let error = #expect(throws: SQLiteError.self) { try insertEmpty().run() }
    #expect(error?.code == .constraint, "the text of the run before is not bound any more")
  }

  @Test func rowsAreSteppedThrough() throws {
    try insert("a")
    try insert("b")
    let statement = try database.statement("SELECT text FROM notes WHERE id >= ? ORDER BY id")
    try statement.bind(Int64(1), at: 1)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.row.string(0)) }
    statement.reset()
    #expect(texts == ["a", "b"])
  }

  @Test func aTransactionThatThrowsLeavesNoTrace() throws {
    #expect(throws: SQLiteError.self) {
      try database.transaction { () throws(SQLiteError) in
        try database.statement("INSERT INTO notes (text) VALUES ('a')").run()
        try database.execute("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect(try texts() == [])
    try database.transaction { () throws(SQLiteError) in
      try database.statement("INSERT INTO notes (text) VALUES ('b')").run()
    }
    #expect(try texts() == ["b"])
  }

  @Test func anErrorSaysWhatWasDoneWhereAndWhy() throws {
    let error = #expect(throws: SQLiteError.self) { try database.execute("SELECT * FROM nowhere") }
    #expect(error?.doing == "SELECT * FROM nowhere")
    #expect(error?.message == "no such table: nowhere")
    #expect(error?.path == ":memory:")
    #expect(error?.extendedCode == 1)
  }

  @Test func aClosedDatabaseThrowsMisuse() throws {
    let statement = try database.statement("SELECT 1")
    database.close()
    database.close()
    for use in [{ try statement.run() }, { try database.execute("SELECT 1") }, { try insert("") }] {
      let error = #expect(throws: SQLiteError.self) { try use() }
      #expect(error?.code == .misuse)
    }
  }

  @Test func aMissingFileIsNotMadeUnlessAsked() {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    for access in [SQLiteDatabase.Access.readOnly, .readWrite] {
      let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: path, access: access) }
      #expect(error?.code == .cannotOpen)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func theHeaderKeepsVersionAndApplication() throws {
    #expect(try database.userVersion() == 0)
    try database.setUserVersion(7)
    try database.setApplicationID(-3)
    #expect(try database.userVersion() == 7)
    #expect(try database.applicationID() == -3)
  }

  @Test func aPlaceWithoutALogSaysSo() {
    let error = #expect(throws: SQLiteError.self) { try database.useWriteAheadLog() }
    #expect(error?.code == .cannotOpen, "a database in memory has no log")
  }
}
