import Foundation
import SQLite
import ServerNode
import Synchronization
import Testing
import Wire

/// What `commit` returned survives a power loss: proved below SQLite, on a file system that loses unsynced writes.
@Suite struct PowerLossTests {
  private let fileSystem = LossyFileSystem()
  private let folder = JournalTestFolder()

  private func open(_ synchronous: SQLiteDatabase.Synchronous = .full) throws -> SQLiteJournal {
    let journal = try SQLiteJournal(folder: folder.path, synchronous: synchronous, vfs: fileSystem.name)
    _ = try journal.recover()
    return journal
  }

  /// How many of alice's events are left, checked to be the ones that were committed.
  private func eventsLeft(after loss: PowerLoss, seed: UInt64?) throws -> Int {
    let remains = JournalTestFolder()
    try loss.writeRemains(to: remains.path, seed: seed)
    let journal = try SQLiteJournal(folder: remains.path)
    defer { journal.close() }
    _ = try journal.recover()
    let events = try journal.load(Demo.alice).events
    for (index, event) in events.enumerated() {
      #expect(event.sequence == UInt64(index) + 1)
      #expect(event.body == Data(repeating: UInt8(truncatingIfNeeded: index), count: event.body.count))
    }
    return events.count
  }

  /// Commits events of `size` bytes one by one, has the power fail at syncs and between commits, and returns each loss
  /// with the number of events that had been acknowledged by then.
  private func losses(
    of journal: SQLiteJournal, commits: Int, size: Int, every interval: Int
  ) throws -> [(loss: PowerLoss, acknowledged: Int)] {
    let acknowledged = Mutex(0)
    let losses = Mutex<[(loss: PowerLoss, acknowledged: Int)]>([])
    let note: @Sendable (LossyFileSystem) -> Void = { fileSystem in
      let count = acknowledged.withLock { count in count }
      losses.withLock { losses in losses.append((fileSystem.losePower(), count)) }
    }
    let syncs = Mutex(0)
    fileSystem.onSync = { [fileSystem] path in
      let sync = syncs.withLock { syncs in
        syncs += 1
        return syncs
      }
      // The database itself is synced only when the log is copied back to it: always worth a look.
      if path.hasSuffix(".sqlite") || sync % interval == 0 { note(fileSystem) }
    }
    for index in 0..<commits {
      let body = Data(repeating: UInt8(truncatingIfNeeded: index), count: size)
      let append = JournalAppend(
        actor: Demo.alice, expectedSequence: UInt64(index), events: [JournalEvent(name: "n", at: 0, body: body)],
        answered: .new())
      #expect(try journal.commit(append) == .committed(sequence: UInt64(index) + 1))
      acknowledged.withLock { count in count = index + 1 }
      if index % interval == interval - 1 { note(fileSystem) }
    }
    fileSystem.onSync = { _ in }
    return losses.withLock { losses in losses }
  }

  @Test(arguments: [nil, 1, 2, 3] as [UInt64?])
  func aPowerLossTakesNothingThatCommitReturned(seed: UInt64?) throws {
    let journal = try open()
    let losses = try losses(of: journal, commits: 60, size: 300, every: 5)
    #expect(losses.count > 20)
    for (loss, acknowledged) in losses {
      let left = try eventsLeft(after: loss, seed: seed)
      // One more than acknowledged is the commit that was on its way when the power failed.
      #expect(left == acknowledged || left == acknowledged + 1)
    }
  }

  @Test(arguments: [nil, 1] as [UInt64?])
  func aPowerLossWhileTheLogIsCopiedBackTakesNothing(seed: UInt64?) throws {
    let journal = try open()
    let losses = try losses(of: journal, commits: 90, size: 200_000, every: 40)
    let copying = losses.filter { loss, _ in
      loss.files.contains { path, image in path.hasSuffix(".sqlite") && image.unsyncedWrites > 0 }
    }
    #expect(!copying.isEmpty, "the log was never copied back; the test must write more")
    for (loss, acknowledged) in losses {
      #expect(try eventsLeft(after: loss, seed: seed) >= acknowledged)
    }
  }

  @Test func withoutSyncingAPowerLossTakesCommits() throws {
    let journal = try open(.off)
    _ = try journal.commit(.purchase())
    #expect(fileSystem.unsyncedWrites > 0)
    #expect(try eventsLeft(after: fileSystem.losePower(), seed: nil) == 0, "the file system loses nothing: no proof")
  }

  @Test func aNewJournalIsWholeBeforeItHasItsName() throws {
    let journal = try open()
    defer { journal.close() }
    #expect(fileSystem.unsyncedWrites == 0)
    #expect(try eventsLeft(after: fileSystem.losePower(), seed: nil) == 0)
  }

  @Test(arguments: [SQLiteDatabase.Synchronous.full, .off])
  func theWriterAnswersAfterTheSync(_ synchronous: SQLiteDatabase.Synchronous) async throws {
    let writer = JournalWriter { [fileSystem, folder] () throws(JournalError) in
      try SQLiteJournal(folder: folder.path, synchronous: synchronous, vfs: fileSystem.name)
    }
    _ = try await writer.start()
    let unsynced = await withCheckedContinuation { continuation in
      writer.append(.purchase()) { [fileSystem] _ in continuation.resume(returning: fileSystem.unsyncedWrites) }
    }
    #expect((unsynced == 0) == (synchronous == .full))
    writer.stop()
  }

  @Test func aFailedSyncFailsTheCommitAndTheNextOneGoesOn() throws {
    let journal = try open()
    _ = try journal.commit(.purchase())
    fileSystem.failsSyncs = true
    #expect(journalErrorCode { _ = try journal.commit(.purchase(after: 1)) } == .failed)
    fileSystem.failsSyncs = false
    #expect(try journal.load(Demo.alice).sequence == 1)
    #expect(try journal.commit(.purchase(after: 1)) == .committed(sequence: 2))
  }

  @Test func aFullDiskRefusesCommitsServesReadsAndRecovers() throws {
    let journal = try open()
    _ = try journal.commit(.purchase())
    fileSystem.isFull = true
    let newActor = JournalAppend(
      actor: Demo.bob, expectedSequence: 0, events: [.purchased(1)],
      effects: [.granted(from: Demo.bob, to: Demo.user, 1)])
    #expect(journalErrorCode { _ = try journal.commit([.purchase(after: 1), newActor]) } == .full)
    #expect(try journal.load(Demo.alice).sequence == 1)
    #expect(try journal.load(Demo.bob) == StoredActor())
    fileSystem.isFull = false
    #expect(
      try journal.commit([.purchase(after: 1), newActor]) == [.committed(sequence: 2), .committed(sequence: 1)])
    #expect(try journal.actors(world: "demo", kind: .account) == ["alice", "bob"])
    journal.close()
    #expect(try open().load(Demo.bob).sequence == 1)
  }
}
