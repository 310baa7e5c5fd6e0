import ServerNode
import Testing
import Wire

@Suite struct SQLiteJournalReaderTests {
  private let folder = JournalTestFolder()

  private func events(_ reader: SQLiteJournalReader, world: String = "demo") throws -> [ActorAddress: [UInt64]] {
    var events: [ActorAddress: [UInt64]] = [:]
    try reader.forEachEvent(inWorld: world) { actor, event in events[actor, default: []].append(event.sequence) }
    return events
  }

  @Test func aReaderFollowsARunningNode() throws {
    let journal = try SQLiteJournal(folder: folder.path)
    _ = try journal.recover()
    _ = try journal.commit([.purchase(), .purchase(by: Demo.stranger)])
    let reader = try SQLiteJournal.readOnly(at: folder.path)
    #expect(try events(reader) == [Demo.alice: [1]])

    _ = try journal.commit([
      .purchase(after: 1), .purchase(by: Demo.bob),
      JournalAppend(
        actor: Demo.user, expectedSequence: 0, timers: [.set(name: "renewal", due: 1)],
        effects: [.granted(from: Demo.user, to: Demo.alice, 1)]),
    ])
    #expect(try events(reader) == [Demo.alice: [1, 2], Demo.bob: [1]])
    #expect(try reader.worlds() == ["demo", "other"])
    #expect(try reader.effects() == [.granted(from: Demo.user, to: Demo.alice, 1)])
    #expect(try reader.timers() == [StoredTimer(actor: Demo.user, name: "renewal", due: 1)])
    #expect(try reader.load(Demo.alice) == journal.load(Demo.alice))

    try journal.erase(world: "demo", keeping: [])
    _ = try journal.commit(.purchase(by: Demo.bob))
    #expect(try events(reader) == [Demo.bob: [1]])
    #expect(try reader.epochs() == ["demo": 2])
    journal.close()
    #expect(try events(reader) == [Demo.bob: [1]])
    reader.close()
  }

  @Test func aReaderDoesNotHoldUpTheNode() throws {
    let journal = try SQLiteJournal(folder: folder.path)
    _ = try journal.recover()
    _ = try journal.commit(.purchase())
    let reader = try SQLiteJournal.readOnly(at: folder.path)
    var seen: [UInt64] = []
    var commits: [JournalAppendResult?] = []
    try reader.forEachEvent(inWorld: "demo") { _, event in
      seen.append(event.sequence)
      commits.append(try? journal.commit(.purchase(after: event.sequence)))
    }
    #expect(seen == [1], "a reader sees one moment")
    #expect(commits == [.committed(sequence: 2)])
  }

  @Test func aStoppedNodesJournalIsReadableToo() throws {
    let journal = try SQLiteJournal(folder: folder.path)
    _ = try journal.recover()
    _ = try journal.commit(.purchase())
    journal.close()
    #expect(try events(SQLiteJournal.readOnly(at: folder.path)) == [Demo.alice: [1]])
  }

  @Test func aFolderWithoutAJournalIsSaid() {
    #expect(journalErrorCode { _ = try SQLiteJournal.readOnly(at: folder.path) } == .unwritable)
    #expect(journalErrorCode { _ = try SQLiteJournal.readOnly(at: folder.path + "/none") } == .unwritable)
  }
}
