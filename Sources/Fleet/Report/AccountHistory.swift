package import Shared
package import Wire

/// What an account's journal leaves of its transactions and subscriptions, for people who ask.
package struct AccountHistory: Sendable {
  /// The latest state of each transaction, in order of the ids.
  package private(set) var records: [TransactionRecord] = []
  package private(set) var renewalInfos: [TransactionID: RenewalInfo] = [:]
  package private(set) var finished: Set<TransactionID> = []
  /// The family that the account is in.
  package private(set) var family: String?

  package init(_ entries: [ReadJournal.Entry]) {
    var latest: [TransactionID: TransactionRecord] = [:]
    for entry in entries {
      guard let body = try? LedgerBody.read(entry.body) else { continue }
      for record in body.records {
        latest[record.transactionId] = record
        if record.isFinished { finished.insert(record.transactionId) }
      }
      for info in body.renewalInfos { renewalInfos[info.originalTransactionId] = info }
      finished.formUnion(body.finished)
      if entry.name == "familyJoined" { family = LedgerDetail.read(entry.body).family }
      if entry.name == "familyLeft" { family = nil }
    }
    records = latest.values.sorted { $0.transactionId < $1.transactionId }
  }

  /// The account's own subscriptions that are not over, the one bought first in front.
  package var running: [RenewalInfo] {
    renewalInfos.values
      .filter { $0.inAppOwnershipType == .purchased && $0.status != .expired && $0.status != .revoked }
      .sorted { $0.originalTransactionId < $1.originalTransactionId }
  }
}
