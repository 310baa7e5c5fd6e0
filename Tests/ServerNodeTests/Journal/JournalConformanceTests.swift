import Foundation
import ServerNode
import Testing
import Wire

/// What every journal does, whatever it is made of.
@Suite struct JournalConformanceTests {
  @Test(arguments: JournalBackend.allCases)
  func anActorNeverSeenIsEmpty(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    #expect(try journal.load(Demo.alice) == StoredActor())
    #expect(try journal.events(of: Demo.alice, after: 0, limit: 10).isEmpty)
    #expect(try journal.actors(world: "demo", kind: .account).isEmpty)
  }

  @Test(arguments: JournalBackend.allCases)
  func whatWasCommittedIsThereAfterReopening(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    let answered = AnsweredRequest.new(#"{"ok":true}"#)
    let first = try place.recovered()
    let append = JournalAppend(
      actor: Demo.alice, expectedSequence: 0, events: [.purchased(1), .purchased(2)], answered: answered)
    #expect(try first.commit(append) == .committed(sequence: 2))
    first.close()

    let stored = try place.recovered().load(Demo.alice)
    #expect(stored.events == [.purchased(1).numbered(1), .purchased(2).numbered(2)])
    #expect(stored.answered == [answered])
    #expect(stored.sequence == 2)
  }

  @Test(arguments: JournalBackend.allCases)
  func bodiesAndNamesComeBackAsTheyWere(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    let events = [
      JournalEvent(name: "empty", at: .min, body: Data()),
      JournalEvent(name: "name\u{0}with zero and 🛒", at: .max, body: Data(0...255)),
      JournalEvent(name: "", at: 0, body: Data(repeating: 7, count: 100_000)),
    ]
    _ = try journal.commit(
      JournalAppend(actor: Demo.alice, expectedSequence: 0, events: events, answered: .new("")))
    let stored = try journal.load(Demo.alice)
    #expect(stored.events.map(\.name) == events.map(\.name))
    #expect(stored.events.map(\.at) == events.map(\.at))
    #expect(stored.events.map(\.body) == events.map(\.body))
    #expect(stored.answered.map(\.reply) == [Data()])
  }

  @Test(arguments: JournalBackend.allCases)
  func anAppendThatWasDecidedOnAnOldStateIsAConflictAndLeavesNoTrace(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    let journal = try place.recovered()
    _ = try journal.commit(.purchase())
    let before = try journal.load(Demo.alice)
    let late = JournalAppend(
      actor: Demo.alice, expectedSequence: 0, events: [.purchased(9)], answered: .new(),
      timers: [.set(name: "renewal", due: 5)], effects: [.granted(from: Demo.alice, to: Demo.user, 1)])
    #expect(try journal.commit(late) == .conflict(sequence: 1))
    let early = JournalAppend(actor: Demo.alice, expectedSequence: .max, events: [.purchased(9)])
    #expect(try journal.commit(early) == .conflict(sequence: 1))

    #expect(try journal.load(Demo.alice) == before)
    journal.close()
    let recovery = try place.open().recover()
    #expect(recovery.timers.isEmpty)
    #expect(recovery.effects.isEmpty)
  }

  @Test(arguments: JournalBackend.allCases)
  func appendsOfOneCommitStandAloneAndSeeTheOnesBefore(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    let results = try journal.commit([
      .purchase(after: 0), .purchase(after: 0), .purchase(by: Demo.bob), .purchase(after: 1),
    ])
    #expect(
      results == [.committed(sequence: 1), .conflict(sequence: 1), .committed(sequence: 1), .committed(sequence: 2)])
    #expect(try journal.load(Demo.alice).sequence == 2)
    #expect(try journal.commit([]) == [])
  }

  @Test(arguments: JournalBackend.allCases)
  func aRequestAnsweredBeforeGetsItsReplyAndNothingIsStored(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    let answered = AnsweredRequest.new("first")
    _ = try journal.commit(JournalAppend(actor: Demo.alice, expectedSequence: 0, answered: answered))
    let again = AnsweredRequest(id: answered.id, reply: Data("second".utf8))
    let retry = JournalAppend(actor: Demo.alice, expectedSequence: 0, events: [.purchased(1)], answered: again)
    #expect(try journal.commit(retry) == .alreadyAnswered(reply: answered.reply))
    #expect(try journal.load(Demo.alice).events.isEmpty)

    let same = JournalAppend(actor: Demo.bob, expectedSequence: 0, events: [.purchased(1)], answered: again)
    #expect(try journal.commit(same) == .committed(sequence: 1), "another actor has requests of its own")
  }

  @Test(arguments: JournalBackend.allCases)
  func onlyTheNewestRepliesAreKept(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    let requests = (0..<AnsweredRequest.keptPerActor + 3).map { number in AnsweredRequest.new("\(number)") }
    _ = try journal.commit(
      requests.map { answered in JournalAppend(actor: Demo.alice, expectedSequence: 0, answered: answered) })
    #expect(try journal.load(Demo.alice).answered == Array(requests.dropFirst(3)))
    let forgotten = JournalAppend(actor: Demo.alice, expectedSequence: 0, answered: requests[2])
    #expect(try journal.commit(forgotten) == .committed(sequence: 0))
    let kept = JournalAppend(actor: Demo.alice, expectedSequence: 0, answered: requests[4])
    #expect(try journal.commit(kept) == .alreadyAnswered(reply: requests[4].reply))
  }

  @Test(arguments: JournalBackend.allCases)
  func eventsAreReadInPages(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    let events = (1...5).map { number in JournalEvent.purchased(number) }
    _ = try journal.commit(JournalAppend(actor: Demo.alice, expectedSequence: 0, events: events))
    _ = try journal.commit(.purchase(by: Demo.bob))
    #expect(try journal.events(of: Demo.alice, after: 1, limit: 2).map(\.sequence) == [2, 3])
    #expect(try journal.events(of: Demo.alice, after: 3, limit: .max).map(\.sequence) == [4, 5])
    #expect(try journal.events(of: Demo.alice, after: 5, limit: 9).isEmpty)
    #expect(try journal.events(of: Demo.alice, after: .max, limit: 9).isEmpty)
    #expect(try journal.events(of: Demo.alice, after: 0, limit: 0).isEmpty)
    #expect(try journal.events(of: Demo.alice, after: 0, limit: -1).isEmpty)
  }

  @Test(arguments: JournalBackend.allCases)
  func actorsWithEventsAreListedInOrderPerKindAndWorld(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    _ = try journal.commit([
      .purchase(by: Demo.bob), .purchase(by: Demo.alice), .purchase(by: Demo.user), .purchase(by: Demo.stranger),
      JournalAppend(actor: Demo.demo, expectedSequence: 0, answered: .new()),
    ])
    #expect(try journal.actors(world: "demo", kind: .account) == ["alice", "bob"])
    #expect(try journal.actors(world: "demo", kind: .world) == [], "an actor without events is not listed")
  }

  @Test(arguments: JournalBackend.allCases)
  func timersAreSetMovedAndCleared(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    let journal = try place.recovered()
    _ = try journal.commit([
      JournalAppend(
        actor: Demo.bob, expectedSequence: 0, timers: [.set(name: "renewal", due: 30), .set(name: "grace", due: 10)]),
      JournalAppend(actor: Demo.alice, expectedSequence: 0, timers: [.set(name: "renewal", due: 20)]),
    ])
    _ = try journal.commit(
      JournalAppend(
        actor: Demo.bob, expectedSequence: 0,
        timers: [.set(name: "renewal", due: 20), .clear(name: "grace"), .clear(name: "never set")]))
    journal.close()
    #expect(
      try place.open().recover().timers == [
        StoredTimer(actor: Demo.alice, name: "renewal", due: 20),
        StoredTimer(actor: Demo.bob, name: "renewal", due: 20),
      ])
  }

  @Test(arguments: JournalBackend.allCases)
  func everyOpeningIsCounted(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    for incarnation: UInt64 in 1...3 {
      let journal = try place.open()
      #expect(try journal.recover().incarnation == incarnation)
      journal.close()
    }
  }

  @Test(arguments: JournalBackend.allCases)
  func aClosedJournalThrows(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    journal.close()
    journal.close()
    #expect(throws: JournalError.self) { try journal.commit(.purchase()) }
    #expect(throws: JournalError.self) { try journal.load(Demo.alice) }
  }
}
