import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Random lives of a store. A failing seed is the test's argument; it replays the same story.
@Suite struct StorePropertyTests {
  static let seeds: [UInt64] = Array(1...6)
  private static let count = 100
  private static let grace = GracePeriod(.sixteenDays)

  /// The same story on an undisturbed node: what was said, and what is stored in the end.
  private static func undisturbed(_ seed: UInt64) throws -> (lines: [String], ending: [String: StoredActor]) {
    let store = try StoreHarness(catalog: AccountStage.catalog, gracePeriod: Self.grace)
    var play = StorePlay(seed: seed)
    let lines = try play.play(count, on: store)
    return (lines, try play.ending(of: store))
  }

  private func compare(_ seed: UInt64, _ store: StoreHarness, disturb: () throws -> Void = {}) throws {
    let expected = try StorePropertyTests.undisturbed(seed)
    var play = StorePlay(seed: seed)
    let lines = try play.play(StorePropertyTests.count, on: store) { _ in try disturb() }
    for (line, other) in zip(lines, expected.lines) where line != other {
      Issue.record("seed \(seed): \(line)\nundisturbed: \(other)")
      return
    }
    let ending = try play.ending(of: store)
    for (actor, stored) in expected.ending where !actor.contains("/family/") {
      #expect(ending[actor]?.events == stored.events, "seed \(seed), \(actor)")
    }
    // A join that was refused may be asked for again, which leaves a seat that was kept and given back.
    for (actor, stored) in expected.ending where actor.contains("/family/") {
      #expect(try play.family(ending[actor]?.events ?? []) == play.family(stored.events), "seed \(seed), \(actor)")
    }
    try play.check(store)
  }

  @Test(arguments: seeds) func invariantsHoldAfterEveryCommand(seed: UInt64) throws {
    let store = try StoreHarness(catalog: AccountStage.catalog, gracePeriod: Self.grace)
    var play = StorePlay(seed: seed)
    let checker = play
    _ = try play.play(StorePropertyTests.count, on: store) { _ in
      try checker.check(store)
    }
  }

  @Test(arguments: seeds) func evictionChangesNothing(seed: UInt64) throws {
    try compare(seed, try StoreHarness(evicting: true, catalog: AccountStage.catalog, gracePeriod: Self.grace))
  }

  @Test(arguments: seeds) func restartsChangeNothing(seed: UInt64) throws {
    let store = try StoreHarness(catalog: AccountStage.catalog, gracePeriod: Self.grace)
    var random = SplitMix64(seed: seed &+ 1_000)
    try compare(seed, store) { if Int.random(in: 0..<4, using: &random) == 0 { try store.restart() } }
  }

  /// The node dies before or after random commits, between a cause and its effects and in the middle of jumps.
  @Test(arguments: seeds) func crashesChangeNothing(seed: UInt64) throws {
    let store = try StoreHarness(evicting: seed % 2 == 0, catalog: AccountStage.catalog, gracePeriod: Self.grace)
    var random = SplitMix64(seed: seed &+ 2_000)
    store.crashes = { Int.random(in: 0..<12, using: &random) == 0 }
    try compare(seed, store)
    #expect(store.crashCount > 5)
  }

  /// The disk fails now and then: nothing is lost, nothing happens twice.
  @Test(arguments: seeds) func failedCommitsLoseNothing(seed: UInt64) throws {
    let store = try StoreHarness(catalog: AccountStage.catalog, gracePeriod: Self.grace)
    var random = SplitMix64(seed: seed &+ 3_000)
    store.failsAppend = { append in
      // Requests would be refused, which changes the story; what follows from them must come through.
      guard append.answered == nil, append.events.first?.name != "opened",
        append.applies != nil || append.events.first?.name == "renewed"
      else { return nil }
      return Int.random(in: 0..<5, using: &random) == 0 ? JournalError(.full, "The disk is full.") : nil
    }
    store.isPatient = true
    try compare(seed, store) { store.wait(milliseconds: 3_000) }
    #expect(store.core.counters.conflicts == 0)
  }
}
