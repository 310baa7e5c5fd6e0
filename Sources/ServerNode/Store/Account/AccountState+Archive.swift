package import Shared
import Wire

/// Which archived transactions a command is about: the node hands them to the account before it decides. A command that
/// looks at a transaction by its id, or at all of a product, belongs here.
extension AccountState {
  /// Those of these ids that are not at hand; nil when none is missing.
  package func missing(_ ids: [TransactionID]) -> ArchivedRecords? {
    guard hasArchive else { return nil }
    let missing = ids.filter { history[$0] == nil }
    return missing.isEmpty ? nil : .ids(missing)
  }

  /// What a request about a refund may mean that is not at hand.
  /// - Parameter isRefunded: whether it is about a transaction that was refunded.
  package func missing(
    transactionId: TransactionID?, productId: String?, isRefunded: Bool = false
  ) -> ArchivedRecords? {
    if let transactionId { return missing([transactionId]) }
    guard let productId, hasArchive else { return nil }
    // The newest period of a subscription is at hand, and so is everything that is owned for ever: it is the one.
    let isHere =
      !isRefunded
      && history.records.contains {
        $0.productId == productId && $0.inAppOwnershipType == .purchased && $0.revocation == nil
      }
    return isHere ? nil : .product(productId)
  }

  /// All that is not at hand.
  package var missing: ArchivedRecords? { hasArchive ? .all : nil }
}
