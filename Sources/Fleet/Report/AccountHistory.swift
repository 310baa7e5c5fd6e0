package import Shared
package import Wire

/// What an account's journal leaves of its transactions and subscriptions, for people who ask.
package struct AccountHistory: Sendable {
  /// The latest state of each transaction, in order of the ids, with what is known of its finish.
  package private(set) var records: [TransactionRecord] = []
  package private(set) var renewalInfos: [TransactionID: RenewalInfo] = [:]
  private var finished: Set<TransactionID> = []
  /// The family that the account is in.
  package private(set) var family: String?

  /// What money back is asked for and nobody has decided.
  package private(set) var refundRequests: [TransactionID: OpenRefund] = [:]

  /// A customer's wish for money back.
  package struct OpenRefund: Sendable, Hashable, Encodable {
    /// Until when the developer's server may tell what was used; nil for what it is not asked about.
    package var answerBy: StoreTime?
    package var reason: String?
    /// Whether it has told.
    package var isAnswered = false
  }

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
      readRefunds(entry, body)
      if entry.name == "deleted", let lineage = LedgerDetail.read(entry.body).lineage {
        latest = latest.filter { $0.value.originalTransactionId != lineage }
        renewalInfos[lineage] = nil
      }
      if entry.name == "reset" {
        latest = [:]
        renewalInfos = [:]
        finished = []
        family = nil
        refundRequests = [:]
      }
      if entry.name == "familyJoined" { family = LedgerDetail.read(entry.body).family }
      if entry.name == "familyLeft" { family = nil }
    }
    records = latest.values.map(marked).sorted { $0.transactionId < $1.transactionId }
  }

  /// A finish is an event of its own that names the transaction and does not repeat its record.
  private func marked(_ record: TransactionRecord) -> TransactionRecord {
    var record = record
    record.isFinished = finished.contains(record.transactionId)
    return record
  }

  private mutating func readRefunds(_ entry: ReadJournal.Entry, _ body: LedgerBody) {
    for record in body.records where record.revocation != nil { refundRequests[record.transactionId] = nil }
    guard ["refundRequested", "refundDeclined", "consumptionInformationSent"].contains(entry.name) else { return }
    let detail = LedgerDetail.read(entry.body)
    guard let id = detail.transactionId else { return }
    switch entry.name {
    case "refundRequested":
      refundRequests[id] = OpenRefund(answerBy: detail.answerBy, reason: detail.requestReason)
    case "refundDeclined": refundRequests[id] = nil
    default: refundRequests[id]?.isAnswered = true
    }
  }

  /// The newest transaction of a product that money back is asked for.
  package func openRefund(of product: String) -> TransactionID? {
    records.last { $0.productId == product && refundRequests[$0.transactionId] != nil }?.transactionId
  }

  /// The account's own subscriptions that are not over, the one bought first in front.
  package var running: [RenewalInfo] {
    renewalInfos.values
      .filter { $0.inAppOwnershipType == .purchased && $0.status != .expired && $0.status != .revoked }
      .sorted { $0.originalTransactionId < $1.originalTransactionId }
  }
}
