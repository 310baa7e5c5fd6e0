package import Shared
package import Wire

/// What is true of an account at an instant, computed from its journal alone.
///
/// This is the checker's own reasoning, kept apart from the code that it checks: it reads the stored events' JSON and
/// the clock, trusts no status field, and uses none of the questions that the store and the devices ask of a history.
/// Where what the journal says contradicts the clock or itself, that is a problem of the ledger.
package struct JournalTruth: Sendable, Hashable {
  package let now: StoreTime
  /// Each product that the account ever owned, consumables left out, in order of the ids.
  package let products: [ProductTruth]
  /// In order of their ids.
  package let unfinished: [TransactionID]
  /// One sentence each; empty for a sound ledger.
  package let problems: [String]
  private let productIds: [TransactionID: String]

  /// - Parameter habits: the world's, where they change what an app may use.
  package init(entries: [ReadJournal.Entry], now: StoreTime, habits: Habits = Habits()) {
    var fold = JournalFold(now: now, entitlesInRetry: habits.retryStillEntitled)
    for entry in entries { fold.read(entry) }
    fold.judge()
    self.now = now
    products = fold.products.sorted { $0.productId < $1.productId }
    unfinished = fold.records.keys.filter { !fold.finished.contains($0) }.sorted()
    problems = fold.problems
    productIds = fold.records.mapValues(\.productId)
  }

  /// What the account may use now.
  package var entitled: [String] { products.filter(\.isEntitled).map(\.productId) }

  package func productId(of transaction: TransactionID) -> String? { productIds[transaction] }
}
