import Foundation
import ServerNode
import Testing
import Wire

/// Erasing a world.
@Suite struct JournalEraseConformanceTests {
  @Test(arguments: JournalBackend.allCases)
  func erasingAWorldTakesAllButWhatIsKeptAndRaisesItsEpoch(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    let journal = try place.recovered()
    for actor in [Demo.alice, Demo.demo, Demo.stranger] {
      _ = try journal.commit(
        JournalAppend(
          actor: actor, expectedSequence: 0, events: [.purchased(1)], answered: .new(),
          timers: [.set(name: "renewal", due: 1)]))
    }
    let kept = try journal.load(Demo.demo)
    let other = try journal.load(Demo.stranger)

    #expect(try journal.erase(world: "demo", keeping: [Demo.demo]) == 2)
    #expect(try journal.load(Demo.alice) == StoredActor())
    #expect(try journal.load(Demo.demo) == kept)
    #expect(try journal.load(Demo.stranger) == other)
    #expect(try journal.actors(world: "demo", kind: .account).isEmpty)
    #expect(try journal.commit(.purchase()) == .committed(sequence: 1), "an erased actor starts again")
    #expect(try journal.erase(world: "demo", keeping: [Demo.demo]) == 3)
    journal.close()

    let recovery = try place.open().recover()
    #expect(recovery.epochs == ["demo": 3])
    #expect(recovery.timers.map(\.actor) == [Demo.demo, Demo.stranger])
  }

  @Test(arguments: JournalBackend.allCases)
  func effectsFromAndToErasedActorsGoWithThem(_ backend: JournalBackend) throws {
    let place = JournalPlace(backend)
    let journal = try place.recovered()
    _ = try journal.commit([
      JournalAppend(actor: Demo.demo, expectedSequence: 0, effects: [.granted(from: Demo.demo, to: Demo.alice, 1)]),
      JournalAppend(actor: Demo.alice, expectedSequence: 0, effects: [.granted(from: Demo.alice, to: Demo.demo, 1)]),
      JournalAppend(actor: Demo.bob, expectedSequence: 0, effects: [.granted(from: Demo.bob, to: Demo.alice, 1)]),
      JournalAppend(
        actor: Demo.demo, expectedSequence: 0, applies: EffectID(source: Demo.alice, target: Demo.demo, number: 1)),
      JournalAppend(
        actor: Demo.stranger, expectedSequence: 0, effects: [.granted(from: Demo.stranger, to: Demo.stranger, 1)]),
    ])
    try journal.erase(world: "demo", keeping: [Demo.demo])
    #expect(try journal.load(Demo.demo).sent.isEmpty)
    #expect(try journal.load(Demo.demo).applied.isEmpty)

    let old = JournalAppend(
      actor: Demo.alice, expectedSequence: 0, events: [.purchased(1)],
      applies: EffectID(source: Demo.demo, target: Demo.alice, number: 1))
    #expect(try journal.commit(old) == .alreadyApplied(sequence: 0), "an effect from before the erase is dropped")
    let first = JournalAppend(
      actor: Demo.demo, expectedSequence: 0, effects: [.granted(from: Demo.demo, to: Demo.alice, 1)])
    #expect(try journal.commit(first) == .committed(sequence: 0))
    #expect(try journal.commit(old) == .committed(sequence: 1))
    journal.close()
    #expect(try place.open().recover().effects == [.granted(from: Demo.stranger, to: Demo.stranger, 1)])
  }

  @Test(arguments: JournalBackend.allCases)
  func aWorldWithoutActorsCanBeErased(_ backend: JournalBackend) throws {
    let journal = try JournalPlace(backend).recovered()
    #expect(try journal.erase(world: "new", keeping: []) == 2)
  }
}
