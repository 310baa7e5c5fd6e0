import Foundation
@testable import ServerNode
import Shared
import Testing
import Wire

/// What is old is in the journal and not in memory, and can be asked for all the same.
@Suite struct ArchiveTests {
  private static let monthly = "com.example.app.monthly"

  /// Two years of a subscription, and coins on the way.
  private func subscriber(evicting: Bool = false) throws -> (StoreHarness, [TransactionRecord]) {
    let store = try StoreHarness(evicting: evicting)
    try store.open("alice")
    try store.buy("monthly", by: "alice", token: ArchiveTests.user)
    try store.buy("coins", by: "alice", token: ArchiveTests.user)
    try store.advance(days: 2 * 365)
    let records = try store.history(of: "alice").records
    #expect(records.count > 24)
    return (store, records)
  }

  private static let user = UUID(uuidString: "00000000-0000-4000-8000-000000000001") ?? UUID()

  private func state(_ store: StoreHarness) throws -> AccountState {
    try #require(store.core.cells[store.account("alice")]?.actor as? AccountActor).state
  }

  private func fold(_ store: StoreHarness) throws -> AccountState {
    var state = AccountState()
    for event in try store.journal.load(store.account("alice")).events {
      state.evolve(
        try AccountEvent.decode(kind: try #require(AccountEvent.Kind(rawValue: event.name)), body: event.body))
    }
    return state
  }

  @Test(arguments: [false, true]) func oldPeriodCanBeRefundedAndTheRefundReversed(evicting: Bool) throws {
    let (store, records) = try subscriber(evicting: evicting)
    let old = records[5]
    try store.ask(Refund(transactionId: old.transactionId, reason: 1), of: store.account("alice"))
    var found = try #require(try store.history(of: "alice")[old.transactionId])
    #expect(found.revocation?.reason == 1)
    #expect(try store.entitled("alice") == ["monthly"])
    let error = #expect(throws: WireError.self) {
      try store.ask(Refund(transactionId: old.transactionId), of: store.account("alice"))
    }
    #expect(error?.refusal == .alreadyRefunded)
    try store.ask(ReverseRefund(productId: ArchiveTests.monthly), of: store.account("alice"))
    found = try #require(try store.history(of: "alice")[old.transactionId])
    #expect(found.revocation == nil)
    #expect(found.recordRevision == 3)
  }

  @Test func refundOfAProductMeansTheNewestThatWasNotRefunded() throws {
    let (store, records) = try subscriber()
    let periods = records.filter { $0.productId == ArchiveTests.monthly }
    for _ in 0..<3 { try store.refund("monthly", of: "alice") }
    let refunded = try store.history(of: "alice").records.filter { $0.revocation != nil }.map(\.transactionId)
    #expect(refunded == periods.suffix(3).map(\.transactionId))
    try store.refund("coins", of: "alice")
    #expect(throws: WireError.self) { try store.refund("coins", of: "alice") }
    #expect(throws: WireError.self) { try store.refund("lifetime", of: "alice") }
  }

  @Test func refundOfAConsumableIsOfTheNewestThoughAnOlderOneWaitsToBeFinished() throws {
    let store = try StoreHarness()
    try store.open("alice")
    for _ in 0..<2 { try store.buy("coins", by: "alice") }
    let newest = try #require(try store.history(of: "alice").records.last?.transactionId)
    try store.ask(Finish(transactionIds: [newest]), of: store.account("alice"))
    try store.refund("coins", of: "alice")
    #expect(try store.history(of: "alice").records.map { $0.revocation != nil } == [false, true])
  }

  @Test func refundOfAPlanIsOfThePeriodThatMoneyBackWasAskedFor() throws {
    let (store, records) = try subscriber()
    let old = records[5].transactionId
    try store.ask(RequestRefund(transactionId: old), of: store.account("alice"))
    try store.refund("monthly", of: "alice")
    let refunded = try store.history(of: "alice").records.filter { $0.revocation != nil }
    #expect(refunded.map(\.transactionId) == [old])
    #expect(try store.entitled("alice") == ["monthly"])
  }

  @Test func unfinishedSeasonAnswersForANewOneWhereTheWorldHasThatHabit() throws {
    let store = try StoreHarness()
    try store.open("alice")
    try store.ask(SetHabits(HabitChange(parsing: "unfinishedAnswersPurchase=on")), of: store.worldAddress)
    for _ in 0..<2 { try store.buy("season", by: "alice") }
    #expect(try store.history(of: "alice").records.count == 1)
  }

  @Test func oldTransactionIsSigned() throws {
    let (store, records) = try subscriber()
    let wanted = [records[0], records[7]].map {
      WantedCopy(subject: .transaction($0.transactionId), device: nil, deviceVerificationId: nil)
    }
    let unknown = WantedCopy(subject: .transaction(TransactionID(7)), device: nil, deviceVerificationId: nil)
    let answer = try store.exchange(GetSignedCopies(copies: wanted + [unknown]), of: store.account("alice"))
    #expect(answer.body.revisions == [1, 1, nil])
    let payload = String(
      decoding: try CompactJWS(try #require(answer.attachments.dropFirst().first)).payloadData, as: UTF8.self)
    #expect(payload.contains("\"transactionId\":\"\(records[7].transactionId)\""))
  }

  @Test func oldUnfinishedTransactionIsFinishedOnce() throws {
    let (store, records) = try subscriber()
    let ids = [records[3].transactionId, records[4].transactionId, TransactionID(7)]
    try store.ask(Finish(transactionIds: ids), of: store.account("alice"))
    try store.ask(Finish(transactionIds: ids), of: store.account("alice"))
    #expect(try store.events(of: "alice").count { $0 == "finished" } == 1)
    #expect(try store.history(of: "alice").unfinished.count == records.count - 2)
    try store.restart()
    #expect(try store.history(of: "alice").unfinished.count == records.count - 2)
  }

  @Test func oldConsumableCanBeClaimed() throws {
    let (store, _) = try subscriber()
    let jws = try #require(try store.copy(of: "coins", from: "alice"))
    let claim = Claim(appAccountToken: UUID(), device: "phone")
    let error = #expect(throws: WireError.self) {
      try store.ask(claim, of: store.account("alice"), attachments: [jws])
    }
    #expect(error?.refusal == .alreadyClaimed)
  }

  @Test func resetTakesOldPurchasesFromTheUserToo() throws {
    let (store, _) = try subscriber()
    #expect(try store.entitlements(of: ArchiveTests.user).count == 2)
    try store.ask(ResetAccount(), of: store.account("alice"))
    #expect(try store.entitlements(of: ArchiveTests.user).isEmpty)
    #expect(try store.history(of: "alice").records.isEmpty)
    #expect(try store.journal.archived(.all, of: store.account("alice")).isEmpty)
  }

  @Test func memoryDoesNotGrowWithTheHistory() throws {
    let (store, records) = try subscriber()
    #expect(try state(store).history.records.count == 2, "the period that runs, and the coins that wait to be finished")
    try store.ask(Finish(transactionIds: records.map(\.transactionId)), of: store.account("alice"))
    try store.advance(days: 3 * 365)
    #expect(try state(store).history.records.count == 1)
    #expect(try store.history(of: "alice").records.count > records.count + 30)
    #expect(try state(store).history.records.count == 1, "what an answer needed is let go again")
    #expect(try state(store).transactionCount == UInt64(try store.history(of: "alice").records.count))
  }

  @Test func snapshotAndLaterEventsAreTheFoldOfAllEvents() throws {
    let (store, _) = try subscriber()
    for _ in 0..<70 { try store.buy("coins", by: "alice", token: ArchiveTests.user) }
    try store.buy("lifetime", by: "alice")
    try store.refund("monthly", of: "alice")
    try store.restart()
    _ = try store.entitled("alice")
    let stored = try store.journal.activate(store.account("alice"))
    #expect((stored.snapshot?.sequence ?? 0) >= 64)
    #expect(stored.events.count < 64)
    var whole = try fold(store)
    whole.archive()
    #expect(try state(store) == whole)
  }

  @Test func snapshotOfAnotherVersionIsPassedOver() throws {
    let (store, _) = try subscriber()
    for _ in 0..<70 { try store.buy("coins", by: "alice") }
    let before = try store.history(of: "alice")
    let sequence = try store.journal.load(store.account("alice")).sequence
    var append = JournalAppend(
      actor: store.account("alice"), expectedSequence: sequence,
      events: [JournalEvent(name: "finished", at: 0, body: Data("{}".utf8))])
    append.snapshot = Data(#"{"later":1}"#.utf8)
    _ = try store.journal.commit([append])
    try store.restart()
    #expect(try store.history(of: "alice") == before)
  }

  /// A random life, with the archive and without: decisions are the same.
  @Test(arguments: StorePropertyTests.seeds) func nodesStateIsTheArchivedFold(seed: UInt64) throws {
    let store = try StoreHarness(catalog: AccountStage.catalog)
    var play = StorePlay(seed: seed)
    _ = try play.play(120, on: store) { _ in
      for (address, cell) in store.core.cells {
        guard let actor = cell.actor as? AccountActor else { continue }
        var whole = AccountState()
        for event in try store.journal.load(address).events {
          whole.evolve(
            try AccountEvent.decode(kind: try #require(AccountEvent.Kind(rawValue: event.name)), body: event.body))
        }
        whole.archive()
        #expect(actor.state == whole, "\(address), seed \(seed)")
      }
    }
  }
}
