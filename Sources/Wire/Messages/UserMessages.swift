package import Foundation
package import Shared

/// To `W/user/TOKEN` (the lower-case UUID): what may this user use?
package struct GetEntitlements: Request {
  package static let name = "getEntitlements"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    package var entitlements: [UserEntitlement]
    package init(entitlements: [UserEntitlement]) { self.entitlements = entitlements }
  }
}

/// To an account, from the developer's server: this purchase belongs to that user. The current period and the later ones
/// get the token, past ones keep theirs (Apple: Set App Account Token).
package struct SetAppAccountToken: Request {
  package static let name = "setAppAccountToken"
  package typealias Reply = AccountPosition
  /// The first transaction of a subscription; anything else's own id.
  package var originalTransactionId: TransactionID
  package var appAccountToken: UUID

  package init(originalTransactionId: TransactionID, appAccountToken: UUID) {
    self.originalTransactionId = originalTransactionId
    self.appAccountToken = appAccountToken
  }
}

/// One lineage that is bound to a user, as the user's backend should see it.
package struct UserEntitlement: Codable, Hashable, Sendable {
  package enum Status: String, Codable, Hashable, Sendable, CaseIterable {
    case trial, active, grace, billingRetry, expired, revoked
  }
  package var account: String
  package var originalTransactionId: TransactionID
  /// The latest transaction of the lineage, and its revision.
  package var transactionId: TransactionID
  package var recordRevision: UInt64
  package var productId: String
  package var type: ProductType
  package var quantity: Int
  package var status: Status
  package var expiresDate: StoreTime?
  package var ownership: OwnershipType
  package var willAutoRenew: Bool?

  /// Whether the user may use the product now. A consumable is granted, not entitled.
  package var isEntitled: Bool {
    type != .consumable && (status == .trial || status == .active || status == .grace)
  }

  package init(
    account: String, originalTransactionId: TransactionID, transactionId: TransactionID, recordRevision: UInt64,
    productId: String, type: ProductType, quantity: Int, status: Status, expiresDate: StoreTime?,
    ownership: OwnershipType, willAutoRenew: Bool?
  ) {
    self.account = account
    self.originalTransactionId = originalTransactionId
    self.transactionId = transactionId
    self.recordRevision = recordRevision
    self.productId = productId
    self.type = type
    self.quantity = quantity
    self.status = status
    self.expiresDate = expiresDate
    self.ownership = ownership
    self.willAutoRenew = willAutoRenew
  }
}

/// Published on the user's topic at each change of an entitlement.
package struct EntitlementChanged: Codable, Hashable, Sendable {
  package static let name = "entitlementChanged"
  package var entitlement: UserEntitlement
  /// Whether the lineage no longer belongs to this user.
  package var removed: Bool

  package init(entitlement: UserEntitlement, removed: Bool) {
    self.entitlement = entitlement
    self.removed = removed
  }
}
