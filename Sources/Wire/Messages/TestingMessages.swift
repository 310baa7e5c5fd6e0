package import Shared

// What test suites do to a store and nobody else can: the verbs of StoreKit Testing (Apple: SKTestSession) that neither
// a customer nor the App Store has. From control connections alone.

/// To an account: its subscription ends now, as if it had been cancelled and had run out.
package struct ExpireSubscription: Request, Hashable {
  package static let name = "expireSubscription"
  package typealias Reply = AccountPosition
  /// The plan that runs, or that the store tries to charge for.
  package var productId: String
  package init(productId: String) { self.productId = productId }
}

/// To an account: the running period of its subscription ends now, and it renews, cancelled or not. A grace period ends
/// now too; billing retry goes on.
package struct RenewSubscription: Request, Hashable {
  package static let name = "renewSubscription"
  package typealias Reply = AccountPosition
  /// The plan that runs.
  package var productId: String
  package init(productId: String) { self.productId = productId }
}

/// To an account: a transaction never was, and with one of a subscription none of its periods.
package struct DeleteTransaction: Request, Hashable {
  package static let name = "deleteTransaction"
  package typealias Reply = AccountPosition
  package var transactionId: TransactionID
  package init(transactionId: TransactionID) { self.transactionId = transactionId }
}

/// To an account: it bought this in the past.
package struct BackdatePurchase: Request, Hashable {
  package static let name = "backdatePurchase"
  package typealias Reply = Purchase.Reply
  package enum Renewal: String, Codable, Hashable, Sendable, CaseIterable {
    /// A subscription has renewed ever since.
    case renewUntilNow
    /// It was cancelled at once: it ran for one period.
    case cancelImmediately
  }
  package var purchase: Purchase
  package var purchaseDate: StoreTime
  package var renewal: Renewal

  package init(_ purchase: Purchase, purchaseDate: StoreTime, renewal: Renewal = .renewUntilNow) {
    self.purchase = purchase
    self.purchaseDate = purchaseDate
    self.renewal = renewal
  }
}

/// To `W/world/W`: changes settings that `createWorld` gave. What is nil stays as it is.
package struct ChangeWorld: Request, Hashable {
  package static let name = "changeWorld"
  package typealias Reply = Done
  package enum Clock: String, Codable, Hashable, Sendable, CaseIterable {
    /// With the machine's clock.
    case real
    /// Stands still where it is now, until it is advanced.
    case manual
  }
  /// The text of another `.storekit` file. Its storefront and locale count unless they are given too.
  package var catalog: String?
  /// Where accounts buy that no other storefront was set for, ISO 3166-1 alpha-3. The currency follows.
  package var storefront: String?
  /// For example `en_US`.
  package var locale: String?
  /// 0 for none. It counts for renewals that fail from now on.
  package var gracePeriodDays: Int?
  /// Whether every purchase of every account waits for a family organiser's answer.
  package var asksToBuy: Bool?
  package var clock: Clock?

  package init(
    catalog: String? = nil, storefront: String? = nil, locale: String? = nil, gracePeriodDays: Int? = nil,
    asksToBuy: Bool? = nil, clock: Clock? = nil
  ) {
    self.catalog = catalog
    self.storefront = storefront
    self.locale = locale
    self.gracePeriodDays = gracePeriodDays
    self.asksToBuy = asksToBuy
    self.clock = clock
  }
}
