import Foundation
import SQLite
import Shared
import Wire

/// The local store of a client node's devices as a SQLite file. Used from one thread at a time.
///
/// In write-ahead mode with `synchronous=normal` a commit survives a kill of the process, which is what phones are
/// put through here; a loss of power may take the last commits, and then they are fetched from the server anew. A file
/// that was just made has nothing to lose, so nothing waits for the disk before the first checkpoint: six syncs at the
/// start of each of hundreds of phones took longer than all else.
final class DeviceStoreFile {
  private static let applicationID: Int32 = 0x5346_4456
  private static let version: Int32 = 1

  private static let schema = """
    CREATE TABLE node (key TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE device (name TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE record (device TEXT, id INTEGER, body BLOB NOT NULL, PRIMARY KEY (device, id)) WITHOUT ROWID;
    CREATE TABLE renewal_info (device TEXT, id INTEGER, body BLOB NOT NULL, PRIMARY KEY (device, id)) WITHOUT ROWID;
    CREATE TABLE copy (
      device TEXT, kind INTEGER, id INTEGER, body BLOB NOT NULL, PRIMARY KEY (device, kind, id)) WITHOUT ROWID;
    """

  private let path: String
  private let database: SQLiteDatabase
  /// Whether there is nothing to read yet.
  private var isEmpty: Bool

  init(path: String) throws(ClientNodeError) {
    self.path = path
    do {
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    } catch {
      throw ClientNodeError(
        .store, "the folder of the local store \(path) cannot be made (\(error)): name one that can be written")
    }
    do {
      let isNew = !FileManager.default.fileExists(atPath: path)
      let database = try SQLiteDatabase(path: path, busyTimeoutMilliseconds: 500)
      // Two nodes with one file would each overwrite what the other's phones did.
      try database.execute("PRAGMA locking_mode = EXCLUSIVE")
      try database.setSynchronous(.off)
      // Else the first page alone would take a journal file, which is made and removed again.
      if isNew { try database.execute("PRAGMA journal_mode = MEMORY") }
      try database.useWriteAheadLog()
      try DeviceStoreFile.prepareFormat(of: database, path: path)
      try database.setSynchronous(.normal)
      isEmpty = isNew
      self.database = database
    } catch let error as ClientNodeError {
      throw error
    } catch {
      throw DeviceStoreFile.error(error, path: path)
    }
  }

  private static func prepareFormat(of database: SQLiteDatabase, path: String) throws {
    switch (try database.applicationID(), try database.userVersion()) {
    case (0, 0):
      try database.transaction { () throws(SQLiteError) in
        try database.execute(schema)
        try database.setApplicationID(applicationID)
        try database.setUserVersion(version)
      }
    case (applicationID, version): break
    case (applicationID, let other):
      throw ClientNodeError(
        .store,
        "the local store \(path) has format \(other), this build knows \(version): use the build that wrote it, or "
          + "delete it (the phones then fetch everything anew)")
    default:
      throw ClientNodeError(.store, "\(path) is another program's file: name another folder for the local store")
    }
  }

  func close() { database.close() }

  // MARK: Reading

  func load() throws(ClientNodeError) -> StoredNode {
    var node = StoredNode()
    guard !isEmpty else { return node }
    var problem: (any Error)?
    func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) -> Value? {
      do { return try WireJSON.decode(type, from: data) } catch {
        problem = problem ?? error
        return nil
      }
    }
    do {
      try database.statement("SELECT body FROM node WHERE key = 'world'").forEachRow { row in
        node.world = decode(WorldDescription.self, row.data(0))
      }
      try database.statement("SELECT name, body FROM device").forEachRow { row in
        guard let state = decode(DeviceState.self, row.data(1)) else { return }
        node.devices[row.string(0)] = StoredDevice(state: state)
      }
      // In order of the ids, so that each goes to the end of the device's history.
      try database.statement("SELECT device, body FROM record ORDER BY device, id").forEachRow { row in
        guard let record = decode(TransactionRecord.self, row.data(1)) else { return }
        node.devices[row.string(0)]?.records.append(record)
      }
      try database.statement("SELECT device, body FROM renewal_info").forEachRow { row in
        guard let info = decode(RenewalInfo.self, row.data(1)) else { return }
        node.devices[row.string(0)]?.renewalInfos.append(info)
      }
      try database.statement("SELECT device, kind, id, body FROM copy").forEachRow { row in
        guard let copy = decode(SignedCopy.self, row.data(3)) else { return }
        let id = TransactionID(UInt64(bitPattern: row.int64(2)))
        node.devices[row.string(0)]?.copies[row.int64(1) == 0 ? .transaction(id) : .renewalInfo(id)] = copy
      }
    } catch {
      throw DeviceStoreFile.error(error, path: path)
    }
    if let problem {
      throw ClientNodeError(
        .store, "the local store \(path) is damaged (\(problem)): delete it, the phones then fetch everything anew")
    }
    return node
  }

  // MARK: Writing

  /// Commits `writes` in order, all or nothing.
  func save(_ writes: [StoreWrite]) throws(ClientNodeError) {
    isEmpty = false
    do {
      try database.transaction { () throws(SQLiteError) in
        for write in writes { try save(write) }
      }
    } catch {
      throw DeviceStoreFile.error(error, path: path)
    }
  }

  private func save(_ write: StoreWrite) throws(SQLiteError) {
    if let world = write.world {
      try database.statement("INSERT OR REPLACE INTO node VALUES (?, ?)").run("world", WireJSON.encode(world))
    }
    for change in write.devices {
      if change.replacesAll {
        try database.statement("DELETE FROM record WHERE device = ?").run(change.device)
        try database.statement("DELETE FROM renewal_info WHERE device = ?").run(change.device)
        try database.statement("DELETE FROM copy WHERE device = ?").run(change.device)
      }
      try database.statement("INSERT OR REPLACE INTO device VALUES (?, ?)")
        .run(change.device, WireJSON.encode(change.state))
      for record in change.records {
        try database.statement("INSERT OR REPLACE INTO record VALUES (?, ?, ?)").run(
          change.device, Int64(bitPattern: record.transactionId.rawValue), WireJSON.encode(record))
      }
      for info in change.renewalInfos {
        try database.statement("INSERT OR REPLACE INTO renewal_info VALUES (?, ?, ?)").run(
          change.device, Int64(bitPattern: info.originalTransactionId.rawValue), WireJSON.encode(info))
      }
      for (subject, copy) in change.copies {
        let (kind, id): (Int64, TransactionID) =
          switch subject {
          case .transaction(let id): (0, id)
          case .renewalInfo(let id): (1, id)
          }
        try database.statement("INSERT OR REPLACE INTO copy VALUES (?, ?, ?, ?)")
          .run(change.device, kind, Int64(bitPattern: id.rawValue), WireJSON.encode(copy))
      }
    }
  }

  private static func error(_ error: any Error, path: String) -> ClientNodeError {
    guard let error = error as? SQLiteError else { return ClientNodeError(.store, "\(error)") }
    switch error.code {
    case .busy, .locked:
      return ClientNodeError(
        .store, "the local store \(path) is in use by another client node: give each node its own name or folder")
    case .notADatabase, .corrupt:
      return ClientNodeError(
        .store, "the local store \(path) is damaged: delete it, the phones then fetch everything anew")
    default: return ClientNodeError(.store, "the local store \(path) cannot be used: \(error.description)")
    }
  }
}
