import Foundation
import SQLite
import ServerNode
import Testing
import Wire

/// What happens when a journal is opened where something is wrong.
@Suite struct SQLiteJournalOpeningTests {
  private let folder = JournalTestFolder()
  private var database: String { folder.path + "/journal.sqlite" }

  private func openError(at path: String? = nil) -> JournalError? {
    do {
      let journal = try SQLiteJournal(folder: path ?? folder.path)
      defer { journal.close() }
      _ = try journal.recover()
      return nil
    } catch {
      return error
    }
  }

  private func makeJournal() throws {
    let journal = try SQLiteJournal(folder: folder.path)
    _ = try journal.recover()
    for number in 0..<200 { _ = try journal.commit(.purchase(after: UInt64(number))) }
    journal.close()
  }

  @Test func aMissingFolderIsMadeForThisUserAlone() throws {
    let path = folder.path + "/data/node-1"
    #expect(openError(at: path) == nil)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func aFileInPlaceOfTheFolderIsUnwritable() throws {
    let path = folder.path + "/data"
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    let error = openError(at: path)
    #expect(error?.code == .unwritable)
    #expect(error?.message.hasPrefix("\(path) is a file, but the journal needs a folder there.") == true)
    #expect(openError(at: path + "/deeper")?.code == .unwritable)
  }

  @Test func aFolderInPlaceOfTheFileIsUnwritable() throws {
    try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
    #expect(openError()?.code == .unwritable)
  }

  @Test func aSecondOpeningIsBusyAndNamesTheProcess() throws {
    let first = try SQLiteJournal(folder: folder.path)
    let error = openError()
    #expect(error?.code == .busy)
    #expect(error?.message.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
    _ = try first.recover()
    first.close()
    #expect(openError() == nil)
  }

  @Test func aNewerFormatIsUnknown() throws {
    try makeJournal()
    let file = try SQLiteDatabase(path: database)
    try file.setUserVersion(99)
    file.close()
    let error = openError()
    #expect(error?.code == .unknownFormat)
    #expect(error?.message.contains("has format 99") == true)
    let readError = journalErrorCode { _ = try SQLiteJournal.readOnly(at: folder.path) }
    #expect(readError == .unknownFormat)
  }

  @Test func anotherProgramsDatabaseIsNotTaken() throws {
    let file = try SQLiteDatabase(path: database)
    try file.execute("CREATE TABLE bookmarks (url TEXT)")
    file.close()
    #expect(openError()?.code == .corrupt)
  }

  @Test func aTextFileIsNoJournal() throws {
    try Data(repeating: UInt8(ascii: "x"), count: 10_000).write(to: URL(fileURLWithPath: database))
    #expect(openError()?.code == .corrupt)
  }

  @Test func anEmptiedFileIsNotTakenForANewJournal() throws {
    try makeJournal()
    try Data().write(to: URL(fileURLWithPath: database))
    #expect(openError()?.code == .corrupt)
  }

  @Test func aLogWithoutItsJournalIsNotTakenForANewJournal() throws {
    let log = URL(fileURLWithPath: database + "-wal")
    try Data("log".utf8).write(to: log)
    #expect(openError()?.code == .corrupt)
    #expect(try Data(contentsOf: log) == Data("log".utf8))
  }

  @Test func aTruncatedFileIsCorrupt() throws {
    try makeJournal()
    let whole = try Data(contentsOf: URL(fileURLWithPath: database))
    for part in [1, 100, 4_096, whole.count / 2, whole.count - 4_096] {
      try whole.prefix(part).write(to: URL(fileURLWithPath: database))
      #expect(openError()?.code == .corrupt, "\(part) bytes of \(whole.count)")
    }
  }

  @Test func whatACrashLeftOfAnUnfinishedJournalIsReplaced() throws {
    try Data("half".utf8).write(to: URL(fileURLWithPath: database + ".new"))
    #expect(openError() == nil)
    #expect(!FileManager.default.fileExists(atPath: database + ".new"))
  }

  @Test func damageNeverCrashesAndIsSaid() throws {
    try makeJournal()
    let whole = try Data(contentsOf: URL(fileURLWithPath: database))
    for seed: UInt64 in 1...60 {
      var random = SeededGenerator(seed: seed)
      var damaged = whole
      for _ in 0..<40 {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try damaged.write(to: URL(fileURLWithPath: database))
      do {
        let journal = try SQLiteJournal(folder: folder.path)
        defer { journal.close() }
        _ = try journal.recover()
        _ = try journal.load(Demo.alice)
        _ = try journal.actors(world: "demo", kind: .account)
        _ = try journal.commit(.purchase(after: 200))
        try journal.erase(world: "demo", keeping: [])
      } catch {
        #expect(error is JournalError, "seed \(seed)")
      }
    }
  }
}
