package import Shared
package import Wire

/// The server's answer to "what may this user use?": every lineage that is bound to one `appAccountToken`.
package struct UserState: Hashable, Sendable, Codable {
  /// A lineage is named by its account too: ids of one world never meet, but a reader should not have to know that.
  package struct Key: Hashable, Sendable, Codable {
    package var account: String
    package var lineage: TransactionID
  }

  package private(set) var entitlements: [Key: UserEntitlement] = [:]

  package init() {}

  package mutating func evolve(_ event: EntitlementChanged) {
    let key = Key(account: event.entitlement.account, lineage: event.entitlement.originalTransactionId)
    entitlements[key] = event.removed ? nil : event.entitlement
  }

  /// Nil when nothing is different.
  package func decide(_ change: EntitlementChanged) -> EntitlementChanged? {
    let key = Key(account: change.entitlement.account, lineage: change.entitlement.originalTransactionId)
    if change.removed { return entitlements[key] == nil ? nil : change }
    return entitlements[key] == change.entitlement ? nil : change
  }

  package var sorted: [UserEntitlement] {
    entitlements.values.sorted { ($0.account, $0.originalTransactionId) < ($1.account, $1.originalTransactionId) }
  }
}
