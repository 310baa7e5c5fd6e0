import Shared
import Wire

extension AccountState {
  /// Money back: the transaction keeps its id and gets a revocation. A subscription's latest period takes the
  /// subscription with it.
  func decideRefund(_ refund: Refund, in context: StoreContext) throws(WireError) -> AccountDecision {
    guard refund.reason == Revocation.appIssue || refund.reason == Revocation.other else {
      throw WireError(
        .badBody, "refund reason \(refund.reason) is unknown: expected 0 (other) or 1 (an issue of the app)")
    }
    let percentage = refund.percentage ?? Revocation.wholePercentage
    guard (1...Revocation.wholePercentage).contains(percentage) else {
      throw WireError(
        .badBody, "a refund of \(percentage) thousandths of a percent is refused: expected 1 to 100000, which is all")
    }
    let record = try unrefunded(transactionId: refund.transactionId, productId: refund.productId)
    return AccountDecision([refunded(record, refund.reason, percentage, in: context)])
  }

  func refunded(
    _ record: TransactionRecord, _ reason: Int, _ percentage: Int64, in context: StoreContext
  ) -> AccountEvent {
    let revocation = Revocation(
      date: context.now, reason: reason,
      type: percentage == Revocation.wholePercentage ? "REFUND_FULL" : "REFUND_PRORATED", percentage: percentage)
    let refunded = record.revised { $0.revocation = revocation }
    guard let info = history.renewalInfos[record.originalTransactionId],
      info.latestTransactionId == record.transactionId
    else { return AccountEvent(.refunded, records: [refunded]) }
    let ended = info.revised {
      $0.status = .revoked
      $0.willAutoRenew = false
      $0.expirationIntent = ExpirationIntent.other
      $0.gracePeriodExpiresDate = nil
      $0.priceIncreaseStatus = nil
    }
    return AccountEvent(.refunded, records: [refunded], renewalInfos: [ended])
  }

  /// Apple: DID_CHANGE_RENEWAL_STATUS. Asking for money back for a subscription switches its auto-renew off. A second
  /// request for what waits already is a duplicate (Apple: Transaction.RefundRequestError.duplicateRequest).
  func decideRefundRequest(_ request: RequestRefund, in context: StoreContext) throws(WireError) -> AccountDecision {
    let record = try unrefunded(
      transactionId: request.transactionId, productId: request.productId, prefersAskedFor: false)
    guard refundRequests[record.transactionId] == nil else {
      throw .refused(
        .duplicateRefundRequest,
        "money back for transaction \(record.transactionId) of '\(record.productId)' was asked for already: "
          + "wait until that is decided")
    }
    let open = RefundRequest(
      transactionId: record.transactionId, requestedAt: context.now, requestReason: request.reason ?? .other,
      answerBy: record.type.isAskedAbout ? context.now.advanced(by: RefundRequest.answerMilliseconds) : nil)
    var events = [AccountEvent(.refundRequested, detail: .refundRequest(open))]
    if let info = history.renewalInfos[record.originalTransactionId], info.willAutoRenew,
      info.isActive || info.isInBillingRetry
    {
      events += switchOffAutoRenew(of: info)
    }
    return AccountDecision(events)
  }

  func decideRefundDecline(_ decline: DeclineRefund) throws(WireError) -> AccountDecision {
    let record = try unrefunded(transactionId: decline.transactionId, productId: decline.productId)
    return AccountDecision([refundDeclined(record.transactionId)])
  }

  /// Apple: REFUND_REVERSED. The revocation goes, the renewal date stays; auto-renew stays off, as the refund left it.
  func decideRefundReversal(
    _ reversal: ReverseRefund, in context: StoreContext
  ) throws(WireError) -> AccountDecision {
    let own = try ownRecords(transactionId: reversal.transactionId, productId: reversal.productId)
    guard let record = own.last(where: { $0.revocation != nil }) else {
      let what = own.count == 1 ? "transaction \(own[0].transactionId)" : "no transaction"
      throw .refused(
        .notRefunded,
        "\(what) of '\(own[0].productId)' was \(own.count == 1 ? "not " : "")refunded: nothing to take back")
    }
    if record.type == .nonConsumable,
      history.records.contains(where: {
        $0.productId == record.productId && $0.revocation == nil && $0.inAppOwnershipType == .purchased
      })
    {
      throw .refused(.wrongState, "'\(record.productId)' was bought again since: the account owns it once")
    }
    let restored = record.revised { $0.revocation = nil }
    guard let info = history.renewalInfos[record.originalTransactionId], info.status == .revoked,
      info.latestTransactionId == record.transactionId
    else { return AccountDecision([AccountEvent(.refundReversed, records: [restored])]) }
    let isRunning = context.now < info.renewalDate
    let next = info.revised {
      $0.status = isRunning ? .subscribed : .expired
      if isRunning { $0.expirationIntent = nil }
    }
    return AccountDecision([AccountEvent(.refundReversed, records: [restored], renewalInfos: [next])])
  }

  // MARK: Which one

  /// - Parameter prefersAskedFor: whether of several transactions of a product one that money back is asked for comes
  ///   first, or one that it is not asked for yet.
  private func unrefunded(
    transactionId: TransactionID?, productId: String?, prefersAskedFor: Bool = true
  ) throws(WireError) -> TransactionRecord {
    let own = try ownRecords(transactionId: transactionId, productId: productId)
    let candidates = own.filter { $0.revocation == nil }
    let first = candidates.last { (refundRequests[$0.transactionId] != nil) == prefersAskedFor }
    guard let record = first ?? candidates.last else {
      let only = "transaction \(own[0].transactionId) of '\(own[0].productId)'"
      let what = own.count == 1 ? only : "every transaction of '\(own[0].productId)'"
      throw .refused(.alreadyRefunded, "\(what) was refunded already")
    }
    return record
  }

  /// The account's own transactions that a request names; never none.
  private func ownRecords(
    transactionId: TransactionID?, productId: String?
  ) throws(WireError) -> [TransactionRecord] {
    let candidates: [TransactionRecord]
    let what: String
    let shared: String
    if let transactionId {
      candidates = history[transactionId].map { [$0] } ?? []
      what = "transaction \(transactionId)"
      shared = what
    } else if let productId {
      candidates = history.records.filter { $0.productId == productId }
      what = "transaction of '\(productId)'"
      shared = "'\(productId)'"
    } else {
      throw WireError(.badBody, "a request about a refund names a transactionId or a productId")
    }
    guard !candidates.isEmpty else { throw .refused(.unknownTransaction, "the account has no \(what)") }
    let own = candidates.filter { $0.inAppOwnershipType == .purchased }
    guard !own.isEmpty else {
      throw .refused(.notYours, "\(shared) is shared by the family: only its purchaser can get money back")
    }
    return own
  }
}
