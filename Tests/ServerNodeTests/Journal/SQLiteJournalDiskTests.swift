import Foundation
import ServerNode
import Testing
import Wire

/// On real file systems that are small or read-only.
@Suite(.enabled(if: MountedFolder.isAvailable, "only root may mount"))
struct SQLiteJournalDiskTests {
  @Test func aFullDiskRefusesCommitsUntilThereIsSpaceAgain() throws {
    let disk = try MountedFolder.tmpfs(bytes: 4 << 20)
    let ballast = disk.path + "/ballast"
    try Data(count: 1 << 20).write(to: URL(fileURLWithPath: ballast))
    let journal = try SQLiteJournal(folder: disk.path + "/data")
    _ = try journal.recover()
    let body = Data(repeating: 7, count: 50_000)

    var count: UInt64 = 0
    var error: JournalError?
    while error == nil, count < 1_000 {
      let event = JournalEvent(name: "stored", at: 0, body: body)
      do {
        _ = try journal.commit(JournalAppend(actor: Demo.alice, expectedSequence: count, events: [event]))
        count += 1
      } catch let failure as JournalError {
        error = failure
      }
    }
    #expect(error?.code == .full)
    #expect(count > 5)
    #expect(try journal.load(Demo.alice).sequence == count)

    try FileManager.default.removeItem(atPath: ballast)
    #expect(try journal.commit(.purchase(after: count)) == .committed(sequence: count + 1))
    journal.close()
    let reopened = try SQLiteJournal(folder: disk.path + "/data")
    #expect(try reopened.load(Demo.alice).sequence == count + 1)
    reopened.close()
  }

  @Test func aDiskThatIsFullFromTheStartIsSaid() throws {
    let disk = try MountedFolder.tmpfs(bytes: 1 << 20)
    let ballast = URL(fileURLWithPath: disk.path + "/ballast")
    try Data().write(to: ballast)
    let handle = try FileHandle(forWritingTo: ballast)
    while (try? handle.write(contentsOf: Data(count: 4_096))) != nil {}
    try handle.close()
    #expect(journalErrorCode { _ = try SQLiteJournal(folder: disk.path) } == .full)
  }

  @Test func aReadOnlyDiskIsUnwritable() throws {
    let folder = JournalTestFolder()
    let journal = try SQLiteJournal(folder: folder.path)
    _ = try journal.recover()
    _ = try journal.commit(.purchase())
    let disk = try MountedFolder.readOnly(folder.path)
    #expect(journalErrorCode { _ = try SQLiteJournal(folder: disk.path) } == .unwritable)
    #expect(journalErrorCode { _ = try SQLiteJournal(folder: disk.path + "/new") } == .unwritable)

    var seen = 0
    try SQLiteJournal.readOnly(at: disk.path).forEachEvent(inWorld: "demo") { _, _ in seen += 1 }
    #expect(seen == 1, "a reader needs no more than to read")
    journal.close()
    #expect(
      journalErrorCode { _ = try SQLiteJournal.readOnly(at: disk.path).worlds() } == .unwritable)
  }
}
