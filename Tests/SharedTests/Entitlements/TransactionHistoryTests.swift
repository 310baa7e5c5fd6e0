import Shared
import Testing

/// What a history keeps when records come twice, late or in another order.
@Suite struct TransactionHistoryTests {
  private let now = StoreTime(milliseconds: 1_767_225_600_000)

  private func record(_ id: UInt64, revision: UInt64 = 1) -> TransactionRecord {
    var record = TransactionRecord(
      transactionId: TransactionID(id), originalTransactionId: TransactionID(id), productId: "coins",
      type: .consumable, purchaseDate: now, originalPurchaseDate: now, price: 990, currency: "USD", storefront: "USA",
      appTransactionId: "7")
    record.recordRevision = revision
    return record
  }

  private func refunded(_ id: UInt64, revision: UInt64) -> TransactionRecord {
    var record = record(id, revision: revision)
    record.revocation = Revocation(date: now, reason: 0, type: "REFUND_FULL")
    return record
  }

  /// A refund that was read before the transaction was finished, and comes after it.
  @Test func whatIsFinishedStaysFinishedThoughANewerRevisionDoesNotKnowOfIt() {
    var history = TransactionHistory(records: [record(1)], renewalInfos: [])
    history.finish(TransactionID(1))
    history.put(refunded(1, revision: 2))
    #expect(history[TransactionID(1)]?.revocation != nil)
    #expect(history.unfinished.isEmpty)
    let isFinishedAgain = history.finish(TransactionID(1))
    #expect(!isFinishedAgain)
  }

  @Test func olderOrEqualRevisionChangesNothing() {
    var history = TransactionHistory(records: [refunded(1, revision: 2)], renewalInfos: [])
    let before = history
    let changes = [record(1), record(1, revision: 2)].map { history.put($0) }
    #expect(changes == [false, false])
    #expect(history == before)
  }

  @Test func recordsAreInTheOrderOfTheirIdsHoweverTheyCome() {
    let history = TransactionHistory(records: [3, 1, 4, 2].map { record($0) }, renewalInfos: [])
    #expect(history.records.map(\.transactionId) == [1, 2, 3, 4].map { TransactionID($0) })
  }
}
