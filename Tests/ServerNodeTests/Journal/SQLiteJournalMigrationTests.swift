import Foundation
import SQLite
import ServerNode
import Shared
import Testing
import Wire

@Suite struct SQLiteJournalMigrationTests {
  /// What format 2 keeps beside the events is made from them when a journal of format 1 is opened.
  @Test func journalOfFormatOneGetsItsRecords() throws {
    let store = try StoreHarness()
    try store.open("alice", "bob")
    try store.buy("monthly", by: "alice")
    try store.buy("coins", by: "alice")
    try store.buy("lifetime", by: "bob")
    try store.advance(days: 70)
    try store.refund("coins", of: "alice")
    let unfinished = try store.history(of: "alice").unfinished.map(\.transactionId)
    try store.ask(Finish(transactionIds: Array(unfinished.prefix(2))), of: store.account("alice"))

    let folder = JournalTestFolder()
    let old = try SQLiteJournal(folder: folder.path)
    _ = try old.recover()
    for actor in [store.account("alice"), store.account("bob"), store.worldAddress] {
      _ = try old.commit(
        JournalAppend(actor: actor, expectedSequence: 0, events: try store.journal.load(actor).events))
    }
    old.close()
    let database = try SQLiteDatabase(path: folder.path + "/journal.sqlite", access: .readWrite)
    try database.execute("DROP TABLE records; DROP TABLE changes; DROP TABLE snapshots; DROP TABLE notifications;")
    try database.setUserVersion(1)
    database.close()

    let journal = try SQLiteJournal(folder: folder.path)
    for name in ["alice", "bob"] {
      let records = try journal.records(of: store.account(name), matching: .all()).records
      let expected = try store.journal.records(of: store.account(name), matching: .all()).records
      #expect(try records.map { try $0.record() } == expected.map { try $0.record() })
    }
    journal.close()
    let again = try SQLiteDatabase(path: folder.path + "/journal.sqlite", access: .readOnly)
    #expect(try again.userVersion() == 3)
    again.close()
  }
}
