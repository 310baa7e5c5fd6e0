package import Shared
package import Wire

/// An extension of all subscriptions to a product: who has still to follow, and what came of it.
package struct ExtensionRun: Hashable, Sendable {
  package let order: ExtendAllSubscriptions
  /// The accounts that have not answered.
  package private(set) var open: Set<String>
  package private(set) var succeededCount = 0
  package private(set) var failedCount = 0
  /// When the last account answered.
  package private(set) var completed: StoreTime?

  package init(_ order: ExtendAllSubscriptions, accounts: some Sequence<String>, at time: StoreTime) {
    self.order = order
    open = Set(accounts)
    if open.isEmpty { completed = time }
  }

  package mutating func note(_ answer: ExtensionAnswer) {
    guard open.remove(answer.account) != nil else { return }
    succeededCount += answer.succeeded.count
    failedCount += answer.failed.count
    if open.isEmpty { completed = answer.at }
  }

  /// What the developer's server is told in the end.
  package var summary: ExtensionSummary {
    ExtensionSummary(
      requestIdentifier: order.requestIdentifier, productId: order.productId,
      storefrontCountryCodes: order.storefronts ?? [], succeededCount: Int64(succeededCount),
      failedCount: Int64(failedCount))
  }

  package var status: ExtensionStatus {
    ExtensionStatus(
      productId: order.productId, completed: completed, succeededCount: succeededCount, failedCount: failedCount)
  }
}

/// What came of an extension of all subscriptions in one account.
package struct ExtensionAnswer: Hashable, Sendable, Codable {
  package var requestIdentifier: String
  package var account: String
  /// The original transaction ids of the subscriptions that end later now.
  package var succeeded: [TransactionID]
  /// Of those that are active and could not be extended.
  package var failed: [TransactionID]
  package var at: StoreTime

  package init(
    requestIdentifier: String, account: String, succeeded: [TransactionID] = [], failed: [TransactionID] = [],
    at: StoreTime
  ) {
    self.requestIdentifier = requestIdentifier
    self.account = account
    self.succeeded = succeeded
    self.failed = failed
    self.at = at
  }
}
