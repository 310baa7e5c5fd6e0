package import Shared

/// Transactions of an account that are in the journal and not in memory.
package enum ArchivedRecords: Hashable, Sendable {
  case ids([TransactionID])
  case product(String)
  case all
}
