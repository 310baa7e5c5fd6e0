import Shared
import Wire

extension AccountState {
  /// Apple: Send Consumption Information. A preference decides at once, since nobody reviews refunds here; without one
  /// the request goes on waiting.
  func decideConsumption(
    _ request: SendConsumptionInformation, in context: StoreContext
  ) throws(WireError) -> AccountDecision {
    if let invalid = request.information.invalidField {
      throw WireError(.badBody, "the consumption information is refused: \(invalid.message)")
    }
    let id = request.transactionId
    guard let record = history[id] else {
      throw .refused(.unknownTransaction, "the account has no transaction \(id): it cannot be told what was used of it")
    }
    guard record.type.isAskedAbout else {
      throw .refused(
        .transactionTypeNotSupported,
        "transaction \(id) of '\(record.productId)' is neither a consumable nor an auto-renewable subscription: "
          + "consumption information is about these")
    }
    guard let open = refundRequests[id] else {
      throw .refused(
        .noRefundRequest, "nobody asks for money back for transaction \(id), or it was decided: there is no question")
    }
    guard let answerBy = open.answerBy, context.now <= answerBy else {
      throw .refused(
        .noRefundRequest,
        "the time to tell what was used of transaction \(id) is over: it was 12 hours from the customer's request on")
    }
    let told = AccountEvent(.consumptionInformationSent, detail: .consumption(of: id, request.information))
    var decided: [AccountEvent] = []
    switch request.information.preference {
    case nil: break
    case .decline: decided = [refundDeclined(id)]
    case .grantFull: decided = [refunded(record, open.revocationReason, Revocation.wholePercentage, in: context)]
    case .grantProrated:
      let unused = unusedPercentage(of: record, request.information, in: context)
      // Of what was used up nothing is left to give back.
      decided = unused > 0 ? [refunded(record, open.revocationReason, unused, in: context)] : [refundDeclined(id)]
    }
    return AccountDecision([told] + decided)
  }

  func refundDeclined(_ id: TransactionID) -> AccountEvent { AccountEvent(.refundDeclined, detail: .refund(of: id)) }

  /// In thousandths of a percent: what the developer says, else of a subscription the time that is left.
  private func unusedPercentage(
    of record: TransactionRecord, _ information: ConsumptionInformation, in context: StoreContext
  ) -> Int64 {
    let whole = Revocation.wholePercentage
    if let used = information.consumptionPercentage { return whole - used }
    guard let end = record.expiresDate else { return whole }
    let length = end.milliseconds - record.purchaseDate.milliseconds
    let left = end.milliseconds - context.now.milliseconds
    guard length > 0, left > 0 else { return 0 }
    return min(whole, Int64(Double(left) / Double(length) * Double(whole)))
  }
}

extension ProductType {
  /// Whether the store asks the developer what was used of it before it gives money back.
  var isAskedAbout: Bool { self == .consumable || self == .autoRenewable }
}
