package import Shared

/// To an account: whether renewals fail because the store cannot charge. Purchases go through all the same.
///
/// The switch of all subscriptions and the switches of single products are apart: a renewal fails while one of them
/// says so. When the store can charge again, subscriptions in grace or billing retry recover at once.
package struct SetBilling: Request {
  package static let name = "setBilling"
  package typealias Reply = AccountPosition
  /// Nil for every subscription; then `fails: false` also forgets the switches of products.
  package var productId: String?
  package var fails: Bool
  /// False leaves what failed to renew as it is, though the store could charge again; nil for true.
  package var recovers: Bool?

  package init(productId: String? = nil, fails: Bool, recovers: Bool? = nil) {
    self.productId = productId
    self.fails = fails
    self.recovers = recovers
  }
}

/// To an account: its subscription's price goes up with the next renewal.
package struct RequestPriceIncrease: Request {
  package static let name = "requestPriceIncrease"
  package typealias Reply = AccountPosition
  package var productId: String
  /// The new price of a period.
  package var priceMilliunits: Int64
  /// Whether the customer has to agree; without an answer by the renewal, the subscription then expires.
  package var needsConsent: Bool

  package init(productId: String, priceMilliunits: Int64, needsConsent: Bool) {
    self.productId = productId
    self.priceMilliunits = priceMilliunits
    self.needsConsent = needsConsent
  }
}

/// To an account: the customer's answer to a price increase. Without a product, the only one that waits is meant.
package struct AnswerPriceIncrease: Request {
  package static let name = "answerPriceIncrease"
  package typealias Reply = AccountPosition
  package var productId: String?
  package var agree: Bool

  package init(productId: String? = nil, agree: Bool) {
    self.productId = productId
    self.agree = agree
  }
}

/// To an account: moves a subscription's next renewal into the future, for free. Names the subscription or one of its
/// products.
package struct ExtendSubscription: Request {
  package static let name = "extendSubscription"
  package typealias Reply = AccountPosition
  package var originalTransactionId: TransactionID?
  package var productId: String?
  /// 1 to 90.
  package var days: Int
  /// Apple: extendReasonCode. 0 undeclared, 1 customer satisfaction, 2 other, 3 outage.
  package var reason: Int

  package static let daysAllowed = 1...90
  package static let reasonsAllowed = 0...3

  package init(originalTransactionId: TransactionID? = nil, productId: String? = nil, days: Int, reason: Int = 0) {
    self.originalTransactionId = originalTransactionId
    self.productId = productId
    self.days = days
    self.reason = reason
  }
}

/// To `W/world/W`: how long periods last from now on. What is scheduled already stays as it is.
package struct SetTimeRate: Request {
  package static let name = "setTimeRate"
  package typealias Reply = Done
  package var timeRate: TimeRate

  package init(_ timeRate: TimeRate) { self.timeRate = timeRate }
}
