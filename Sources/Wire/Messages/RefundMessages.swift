package import Shared

/// Why a customer wants money back (Apple: consumptionRequestReason).
package enum ConsumptionRequestReason: String, Codable, Hashable, Sendable, CaseIterable {
  case unintendedPurchase = "UNINTENDED_PURCHASE"
  case fulfillmentIssue = "FULFILLMENT_ISSUE"
  case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
  case legal = "LEGAL"
  case other = "OTHER"
}

/// To an account: the customer asks for money back. Names a transaction, or a product whose newest one is meant. A
/// subscription's auto-renew is switched off. For a consumable or a subscription the developer's server may then tell
/// what was used of it, for twelve hours; `refund`, `declineRefund` or the preference that it tells decides.
package struct RequestRefund: Request {
  package static let name = "requestRefund"
  package typealias Reply = AccountPosition
  package var transactionId: TransactionID?
  package var productId: String?
  /// Nil for `OTHER`.
  package var reason: ConsumptionRequestReason?

  package init(
    transactionId: TransactionID? = nil, productId: String? = nil, reason: ConsumptionRequestReason? = nil
  ) {
    self.transactionId = transactionId
    self.productId = productId
    self.reason = reason
  }
}

/// To an account: the developer's server answers the store's question about a purchase that money back is asked for
/// (Apple: Send Consumption Information, the answer to CONSUMPTION_REQUEST). A preference decides at once.
package struct SendConsumptionInformation: Request {
  package static let name = "sendConsumptionInformation"
  package typealias Reply = AccountPosition
  package var transactionId: TransactionID
  package var information: ConsumptionInformation

  package init(transactionId: TransactionID, information: ConsumptionInformation) {
    self.transactionId = transactionId
    self.information = information
  }
}

/// To an account: no money back. Names a transaction, or a product whose newest one is meant.
package struct DeclineRefund: Request {
  package static let name = "declineRefund"
  package typealias Reply = AccountPosition
  package var transactionId: TransactionID?
  package var productId: String?

  package init(transactionId: TransactionID? = nil, productId: String? = nil) {
    self.transactionId = transactionId
    self.productId = productId
  }
}

/// To an account: a refund is taken back, for example after a dispute. Names a transaction, or a product whose newest
/// refunded one is meant.
package struct ReverseRefund: Request {
  package static let name = "reverseRefund"
  package typealias Reply = AccountPosition
  package var transactionId: TransactionID?
  package var productId: String?

  package init(transactionId: TransactionID? = nil, productId: String? = nil) {
    self.transactionId = transactionId
    self.productId = productId
  }
}
