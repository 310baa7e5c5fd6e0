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

  /// What a request about a refund may mean that is not at hand. Of a product that can be any of its transactions: the
  /// newest consumable may be finished while an older one waits, and money back may be asked for an older period.
  package func missing(transactionId: TransactionID?, productId: String?) -> ArchivedRecords? {
    if let transactionId { return missing([transactionId]) }
    guard let productId, hasArchive else { return nil }
    return .product(productId)
  }

  /// All that is not at hand.
  package var missing: ArchivedRecords? { hasArchive ? .all : nil }
}
