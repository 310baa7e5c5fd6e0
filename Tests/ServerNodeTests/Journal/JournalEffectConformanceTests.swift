import Foundation
import ServerNode
import Testing
import Wire

/// Effects between actors: committed with their cause, applied exactly once.
@Suite struct JournalEffectConformanceTests {
  private func sends(_ numbers: ClosedRange<UInt64>, from source: ActorAddress = Demo.alice) -> JournalAppend {
    JournalAppend(
      actor: source, expectedSequence: 0,
      effects: numbers.map { number in .granted(from: source, to: Demo.user, number) })
  }

  private func applies(_ number: UInt64, from source: ActorAddress = Demo.alice, after count: UInt64) -> JournalAppend {
    JournalAppend(
      actor: Demo.user, expectedSequence: count, events: [.purchased(Int(count) + 1)],
      applies: EffectID(source: source, target: Demo.user, number: number))
  }

  @Test(arguments: JournalBackend.allCases)
  func waitingEffectsAreRecoveredInTheOrderOfCommit(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    let journal = try place.recovered()
    _ = try journal.commit([sends(1...2), sends(1...1, from: Demo.bob), sends(3...3)])
    _ = try journal.commit(applies(1, after: 0))
    journal.close()
    let reopened = try place.open()
    #expect(
      try reopened.recover().effects == [
        .granted(from: Demo.alice, to: Demo.user, 2), .granted(from: Demo.bob, to: Demo.user, 1),
        .granted(from: Demo.alice, to: Demo.user, 3),
      ])
    #expect(try reopened.load(Demo.alice).sent == [Demo.user: 3])
    #expect(try reopened.load(Demo.user).applied == [Demo.alice: 1])
    #expect(try reopened.load(Demo.bob).applied.isEmpty)
  }

  @Test(arguments: JournalBackend.allCases)
  func anEffectIsAppliedOnce(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    _ = try journal.commit(sends(1...2))
    #expect(try journal.commit(applies(1, after: 0)) == .committed(sequence: 1))
    #expect(try journal.commit(applies(1, after: 1)) == .alreadyApplied(sequence: 1))
    #expect(try journal.commit(applies(1, after: 0)) == .alreadyApplied(sequence: 1))
    #expect(try journal.commit(applies(2, after: 1)) == .committed(sequence: 2))
    #expect(try journal.load(Demo.user).sequence == 2)
  }

  @Test(arguments: JournalBackend.allCases)
  func twoDeliveriesInOneCommitApplyOnce(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    let results = try journal.commit([sends(1...1), applies(1, after: 0), applies(1, after: 1)])
    #expect(results == [.committed(sequence: 0), .committed(sequence: 1), .alreadyApplied(sequence: 1)])
  }

  @Test(arguments: JournalBackend.allCases)
  func anEffectThatOvertakesAnotherIsRefused(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    _ = try journal.commit(sends(1...2))
    #expect(try journal.commit(applies(2, after: 0)) == .conflict(sequence: 0))
    #expect(try journal.commit(applies(1, after: 0)) == .committed(sequence: 1))
  }

  @Test(arguments: JournalBackend.allCases)
  func anEffectThatNobodySentIsNotApplied(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    #expect(try journal.commit(applies(1, after: 0)) == .alreadyApplied(sequence: 0))
    #expect(try journal.commit(applies(.max, after: 0)) == .alreadyApplied(sequence: 0))
    #expect(try journal.load(Demo.user) == StoredActor())
  }

  @Test(arguments: JournalBackend.allCases)
  func effectNumbersGoOnWithoutGapOrRepetition(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    _ = try journal.commit(sends(1...2))
    #expect(try journal.commit(sends(2...3)) == .conflict(sequence: 0))
    #expect(try journal.commit(sends(4...4)) == .conflict(sequence: 0))
    #expect(try journal.commit(sends(3...4)) == .committed(sequence: 0))
    #expect(try journal.load(Demo.alice).sent == [Demo.user: 4])
  }

  @Test(arguments: JournalBackend.allCases)
  func anAppendThatSpeaksForAnotherActorIsAnError(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    let forged = JournalAppend(
      actor: Demo.bob, expectedSequence: 0, effects: [.granted(from: Demo.alice, to: Demo.user, 1)])
    let stolen = JournalAppend(
      actor: Demo.bob, expectedSequence: 0, applies: EffectID(source: Demo.alice, target: Demo.user, number: 1))
    #expect(journalErrorCode { _ = try journal.commit(forged) } == .failed)
    #expect(journalErrorCode { _ = try journal.commit([.purchase(), stolen]) } == .failed)
    #expect(try journal.load(Demo.alice) == StoredActor(), "a thrown error means that no append committed")
  }
}
