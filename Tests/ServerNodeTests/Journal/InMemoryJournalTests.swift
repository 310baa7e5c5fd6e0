import ServerNode
import Testing

@Suite struct InMemoryJournalTests {
  @Test func aCrashLosesNothingThatCommitReturned() throws {
    let journal = InMemoryJournal()
    _ = try journal.recover()
    _ = try journal.commit(.purchase())
    journal.crash()
    #expect(throws: JournalError.self) { try journal.load(Demo.alice) }
    #expect(try journal.recover().incarnation == 2)
    #expect(try journal.load(Demo.alice).sequence == 1)
  }

  @Test func withoutSyncingACrashLosesWhatCameAfterTheLastSync() throws {
    let journal = InMemoryJournal()
    _ = try journal.recover()
    journal.syncsCommits = false
    _ = try journal.commit(.purchase())
    journal.sync()
    _ = try journal.commit(.purchase(after: 1))
    _ = try journal.commit(.purchase(by: Demo.bob))
    #expect(try journal.load(Demo.alice).sequence == 2)
    journal.crash()
    _ = try journal.recover()
    #expect(try journal.load(Demo.alice).sequence == 1)
    #expect(try journal.load(Demo.bob) == StoredActor())
  }

  @Test func itFailsOnDemandAndStoresNothingThen() throws {
    let journal = InMemoryJournal()
    _ = try journal.recover()
    journal.failure = { operation in operation == .commit ? JournalError(.full, "full") : nil }
    #expect(journalErrorCode { _ = try journal.commit(.purchase()) } == .full)
    #expect(try journal.load(Demo.alice) == StoredActor())
    journal.failure = { _ in nil }
    #expect(try journal.commit(.purchase()) == .committed(sequence: 1))
  }
}
