package import Foundation
package import Shared

/// To `W/world/W`, from a control connection: whose ids have this number in them.
package struct LocateAccount: Request {
  package static let name = "locateAccount"
  /// The account's number in its world, from 1.
  package var ordinal: UInt64

  package init(ordinal: UInt64) { self.ordinal = ordinal }

  package struct Reply: Codable, Hashable, Sendable {
    /// Nil when nobody has it, or not any more since a reset.
    package var account: String?
    package init(account: String?) { self.account = account }
  }
}

/// To an account: the last state of each of its subscriptions, those of the family included.
package struct GetSubscriptions: Request {
  package static let name = "getSubscriptions"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    /// By original transaction id.
    package var subscriptions: [SubscriptionEntry]
    package init(subscriptions: [SubscriptionEntry]) { self.subscriptions = subscriptions }
  }
}

package struct SubscriptionEntry: Codable, Hashable, Sendable {
  /// The latest of the subscription.
  package var transaction: TransactionRecord
  package var renewalInfo: RenewalInfo

  package init(transaction: TransactionRecord, renewalInfo: RenewalInfo) {
    self.transaction = transaction
    self.renewalInfo = renewalInfo
  }
}

/// To `W/world/W`, from a control connection: moves the next renewal of everybody who subscribes to a product (Apple:
/// Extend Subscription Renewal Dates for All Active Subscribers). The reply comes when it is noted down; the accounts
/// follow one by one. The same again changes nothing.
package struct ExtendAllSubscriptions: Request, Hashable {
  package static let name = "extendAllSubscriptions"
  package typealias Reply = Done
  /// 1 to 128 characters, the caller's own.
  package var requestIdentifier: String
  package var productId: String
  /// 1 to 90.
  package var days: Int
  /// Apple: extendReasonCode, 0 to 3.
  package var reason: Int
  /// ISO 3166-1 alpha-3; nil for everywhere.
  package var storefronts: [String]?

  package init(requestIdentifier: String, productId: String, days: Int, reason: Int = 0, storefronts: [String]? = nil) {
    self.requestIdentifier = requestIdentifier
    self.productId = productId
    self.days = days
    self.reason = reason
    self.storefronts = storefronts
  }
}

/// To `W/world/W`, from a control connection: how far an extension of all subscriptions has got.
package struct DescribeExtension: Request {
  package static let name = "describeExtension"
  package var requestIdentifier: String

  package init(requestIdentifier: String) { self.requestIdentifier = requestIdentifier }

  package struct Reply: Codable, Hashable, Sendable {
    /// Nil when nobody asked for it.
    package var status: ExtensionStatus?
    package init(status: ExtensionStatus?) { self.status = status }
  }
}

package struct ExtensionStatus: Codable, Hashable, Sendable {
  package var productId: String
  /// When the last account had answered; nil while some have not.
  package var completed: StoreTime?
  package var succeededCount: Int
  package var failedCount: Int

  package init(productId: String, completed: StoreTime?, succeededCount: Int, failedCount: Int) {
    self.productId = productId
    self.completed = completed
    self.succeededCount = succeededCount
    self.failedCount = failedCount
  }
}

/// To `W/world/W`, from a control connection: what a developer's server needs to call the App Store Server API. Whoever
/// has the key may act for the developer.
package struct DescribeAPIKeys: Request {
  package static let name = "describeAPIKeys"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    package var keyId: String
    package var issuerId: String
    /// P-256, PKCS #8, PEM: the text of a `.p8` file.
    package var privateKey: String
    package var bundleId: String
    package var environment: String
    /// The app's number; nil outside production.
    package var appAppleId: Int64?
    /// DER, base64.
    package var rootCertificate: Data
    /// Where the node speaks HTTP; nil where it does not.
    package var http: String?

    package init(
      keyId: String, issuerId: String, privateKey: String, bundleId: String, environment: String, appAppleId: Int64?,
      rootCertificate: Data, http: String?
    ) {
      self.keyId = keyId
      self.issuerId = issuerId
      self.privateKey = privateKey
      self.bundleId = bundleId
      self.environment = environment
      self.appAppleId = appAppleId
      self.rootCertificate = rootCertificate
      self.http = http
    }
  }
}
