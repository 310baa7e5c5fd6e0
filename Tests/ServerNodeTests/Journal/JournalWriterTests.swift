import Foundation
import SQLite
import ServerNode
import Synchronization
import Testing
import Wire

@Suite struct JournalWriterTests {
  private let fileSystem = LossyFileSystem()
  private let folder = JournalTestFolder()

  private func account(_ number: Int) -> ActorAddress {
    ActorAddress(world: "demo", kind: .account, key: "account-\(number)")
  }

  private func sqliteWriter() -> JournalWriter {
    JournalWriter { [fileSystem, folder] () throws(JournalError) in
      try SQLiteJournal(folder: folder.path, synchronous: .full, vfs: fileSystem.name)
    }
  }

  @Test func appendsThatComeWhileTheDiskIsSlowGoTogether() async throws {
    let writer = sqliteWriter()
    _ = try await writer.start()
    let gate = Gate()
    fileSystem.onSync = { _ in gate.pass() }
    async let first = writer.append(.purchase(by: account(0)))
    await gate.arrival()

    let results = AsyncStream<JournalAppendResult?>.makeStream()
    for number in 1...99 {
      writer.append(.purchase(by: account(number))) { result in results.continuation.yield(try? result.get()) }
    }
    #expect(writer.counters.queueDepth == 99)
    gate.open()
    #expect(try await first == .committed(sequence: 1))
    var committed = 0
    for await result in results.stream.prefix(99) where result == .committed(sequence: 1) { committed += 1 }
    #expect(committed == 99)
    let counters = writer.counters
    #expect(counters.commits == 2)
    #expect(counters.appends == 100)
    #expect(counters.queueDepth == 0)
    #expect(
      counters.bytes
        == UInt64(
          (0..<100).reduce(0) { sum, number in
            sum + JournalAppend.purchase(by: account(number)).byteCount
          }))
    writer.stop()
  }

  @Test func aReadSeesTheAppendsThatWereAskedBefore() async throws {
    let writer = JournalWriter { InMemoryJournal() }
    let sequence = await withCheckedContinuation { continuation in
      writer.append(.purchase()) { _ in }
      writer.load(Demo.alice) { result in continuation.resume(returning: try? result.get().sequence) }
      writer.start { _ in }
    }
    #expect(sequence == 1)
    writer.stop()
  }

  @Test func anEraseTakesWhatCameBeforeAndSparesWhatComesAfter() async throws {
    let writer = JournalWriter { InMemoryJournal() }
    let (epochs, epoch) = AsyncStream<UInt64?>.makeStream()
    writer.append(.purchase()) { _ in }
    writer.erase(world: "demo", keeping: []) { result in epoch.yield(try? result.get()) }
    let answer = Mutex<JournalAppendResult?>(nil)
    writer.append(.purchase()) { result in
      answer.withLock { answer in answer = try? result.get() }
      epoch.finish()
    }
    _ = try await writer.start()
    var found: [UInt64?] = []
    for await epoch in epochs { found.append(epoch) }
    #expect(found == [2])
    #expect(answer.withLock { answer in answer } == .committed(sequence: 1))
    writer.stop()
  }

  @Test func eventsAndActorsAreReadThroughTheWriter() async throws {
    let writer = JournalWriter { InMemoryJournal() }
    _ = try await writer.start()
    _ = try await writer.append(.purchase())
    let events = await withCheckedContinuation { continuation in
      writer.events(of: Demo.alice, after: 0, limit: 5) { result in continuation.resume(returning: try? result.get()) }
    }
    #expect(events == [.purchased(1).numbered(1)])
    let actors = await withCheckedContinuation { continuation in
      writer.actors(world: "demo", kind: .account) { result in continuation.resume(returning: try? result.get()) }
    }
    #expect(actors == ["alice"])
    writer.stop()
  }

  @Test func stopDoesWhatWaitsAndRefusesWhatComesLater() async throws {
    let writer = sqliteWriter()
    let answers = Mutex(0)
    for number in 0..<10 {
      writer.append(.purchase(by: account(number))) { result in
        if case .success(.committed) = result { answers.withLock { answers in answers += 1 } }
      }
    }
    _ = try await writer.start()
    writer.stop()
    #expect(answers.withLock { answers in answers } == 10)
    await #expect(throws: JournalError.self) { try await writer.append(.purchase()) }
    await #expect(throws: JournalError.self) { try await writer.load(Demo.alice) }
    writer.stop()

    let journal = try SQLiteJournal(folder: folder.path)
    #expect(try journal.actors(world: "demo", kind: .account).count == 10, "and the journal was let go of")
  }

  @Test func stoppingInACallbackDoesNotHang() async throws {
    let writer = JournalWriter { InMemoryJournal() }
    _ = try await writer.start()
    await withCheckedContinuation { continuation in
      writer.append(.purchase()) { _ in
        writer.stop()
        continuation.resume()
      }
    }
    writer.stop()
    await #expect(throws: JournalError.self) { try await writer.append(.purchase(after: 1)) }
  }

  @Test func aWriterThatNeverStartedAnswersWhenItIsStopped() async throws {
    let writer = JournalWriter { InMemoryJournal() }
    await #expect(throws: JournalError.self) {
      async let result = writer.append(.purchase())
      while writer.counters.queueDepth == 0 { await Task.yield() }
      writer.stop()
      _ = try await result
    }
  }

  @Test func aJournalThatDoesNotOpenFailsTheStartAndAllThatWaits() async throws {
    let held = try SQLiteJournal(folder: folder.path)
    let writer = sqliteWriter()
    let answer = AsyncStream<JournalError.Code?>.makeStream()
    writer.append(.purchase()) { result in
      answer.continuation.yield(journalErrorCode { _ = try result.get() })
      answer.continuation.finish()
    }
    do {
      _ = try await writer.start()
      Issue.record("the start succeeded on a journal that another has open")
    } catch {
      #expect((error as? JournalError)?.code == .busy)
    }
    for await code in answer.stream { #expect(code == .busy) }
    #expect(await journalErrorCode { _ = try await writer.append(.purchase()) } == .busy)
    writer.stop()
    held.close()
  }

  @Test func anAppendThatCannotBeStoredDoesNotTakeOthersAlong() async throws {
    let writer = JournalWriter { InMemoryJournal() }
    let (codes, code) = AsyncStream<(String, JournalError.Code?)>.makeStream()
    let forged = JournalAppend(
      actor: Demo.bob, expectedSequence: 0, effects: [.granted(from: Demo.alice, to: Demo.user, 1)])
    for (name, append) in [("first", .purchase()), ("forged", forged), ("last", .purchase(by: Demo.user))] {
      writer.append(append) { result in code.yield((name, journalErrorCode { _ = try result.get() })) }
    }
    _ = try await writer.start()
    var failed: [String: JournalError.Code] = [:]
    for await (name, code) in codes.prefix(3) { failed[name] = code }
    #expect(failed == ["forged": .failed])
    #expect(writer.counters.failedCommits == 2, "the group, and the one that was to blame")
    writer.stop()
  }
}
