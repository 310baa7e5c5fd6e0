import Shared
import Wire

extension AccountState {
  /// Money back: the transaction keeps its id and gets a revocation. A subscription's latest period takes the
  /// subscription with it.
  func decideRefund(_ refund: Refund, in context: StoreContext) throws(WireError) -> AccountDecision {
    let record = try refundable(refund)
    let revocation = Revocation(date: context.now, reason: refund.reason, type: "REFUND_FULL", percentage: 100_000)
    let refunded = record.revised { $0.revocation = revocation }
    guard let info = history.renewalInfos[record.originalTransactionId],
      info.latestTransactionId == record.transactionId
    else { return AccountDecision([AccountEvent(.refunded, records: [refunded])]) }
    let ended = info.revised {
      $0.status = .revoked
      $0.willAutoRenew = false
      $0.expirationIntent = ExpirationIntent.other
    }
    return AccountDecision([AccountEvent(.refunded, records: [refunded], renewalInfos: [ended])])
  }

  private func refundable(_ refund: Refund) throws(WireError) -> TransactionRecord {
    guard refund.reason == Revocation.appIssue || refund.reason == Revocation.other else {
      throw WireError(
        .badBody, "refund reason \(refund.reason) is unknown: expected 0 (other) or 1 (an issue of the app)")
    }
    let candidates: [TransactionRecord]
    let what: String
    if let id = refund.transactionId {
      candidates = history[id].map { [$0] } ?? []
      what = "transaction \(id)"
    } else if let product = refund.productId {
      candidates = history.records.filter { $0.productId == product }
      what = "transaction of '\(product)'"
    } else {
      throw WireError(.badBody, "a refund names a transactionId or a productId")
    }
    guard !candidates.isEmpty else { throw .refused(.unknownTransaction, "the account has no \(what)") }
    let own = candidates.filter { $0.inAppOwnershipType == .purchased }
    guard !own.isEmpty else {
      throw .refused(.notYours, "\(what) is shared by the family: only its purchaser can get money back")
    }
    guard let record = own.last(where: { $0.revocation == nil }) else {
      throw .refused(.alreadyRefunded, "\(what) was refunded already")
    }
    return record
  }
}
