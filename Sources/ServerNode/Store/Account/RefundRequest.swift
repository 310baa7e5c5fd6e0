package import Shared
package import Wire

/// A customer's wish for money back that nobody has decided yet.
package struct RefundRequest: Hashable, Sendable, Codable {
  package var transactionId: TransactionID
  package var requestedAt: StoreTime
  package var requestReason: ConsumptionRequestReason
  /// Until when the developer's server may tell what was used; nil for what it is not asked about.
  package var answerBy: StoreTime?
  /// What it has told, the newest.
  package var information: ConsumptionInformation?

  /// Apple: CONSUMPTION_REQUEST is answered within 12 hours.
  package static let answerMilliseconds: Int64 = 12 * 3_600_000

  package init(
    transactionId: TransactionID, requestedAt: StoreTime, requestReason: ConsumptionRequestReason,
    answerBy: StoreTime?
  ) {
    self.transactionId = transactionId
    self.requestedAt = requestedAt
    self.requestReason = requestReason
    self.answerBy = answerBy
  }

  /// The reason that a refund which follows gets.
  var revocationReason: Int {
    switch requestReason {
    case .fulfillmentIssue, .unsatisfiedWithPurchase: Revocation.appIssue
    case .unintendedPurchase, .legal, .other: Revocation.other
    }
  }
}
