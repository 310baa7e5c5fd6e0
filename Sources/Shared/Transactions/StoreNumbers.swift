/// How the store numbers what it sells: every id says whose it is, so that it is found without an index.
package enum StoreNumbers {
  private static let firstTransaction: UInt64 = 2_000_000_000_000_000
  private static let transactionsPerAccount: UInt64 = 1_000_000
  private static let firstAppTransaction: UInt64 = 700_000_000_000_000_000
  private static let mostAccounts: UInt64 = 1_000_000_000

  /// - Parameters:
  ///   - ordinal: The account's number in its world, from 1.
  ///   - count: The transaction's number in its account, from 1.
  package static func transactionId(ordinal: UInt64, count: UInt64) -> TransactionID {
    TransactionID(firstTransaction + ordinal * transactionsPerAccount + count)
  }

  package static func appTransactionId(ordinal: UInt64) -> TransactionID {
    TransactionID(firstAppTransaction + ordinal)
  }

  /// Whether an id can only be that of the app that a customer has.
  package static func isAppTransaction(_ id: TransactionID) -> Bool { id.rawValue >= firstAppTransaction }

  /// The number of the account whose id it is, of either kind; nil for one that no account's can be.
  package static func ordinal(of id: TransactionID) -> UInt64? {
    let ordinal: UInt64
    if isAppTransaction(id) {
      ordinal = id.rawValue - firstAppTransaction
    } else if id.rawValue > firstTransaction {
      // The first of an account counts from 1, and the last has the number that is a whole account.
      ordinal = (id.rawValue - firstTransaction - 1) / transactionsPerAccount
    } else {
      return nil
    }
    return (1..<mostAccounts).contains(ordinal) ? ordinal : nil
  }

  /// What an order's id is made of.
  static func offset(of id: TransactionID) -> UInt64? {
    id.rawValue > firstTransaction && !isAppTransaction(id) ? id.rawValue - firstTransaction : nil
  }

  static func transactionId(offset: UInt64) -> TransactionID? {
    offset > 0 && offset < firstAppTransaction - firstTransaction ? TransactionID(firstTransaction + offset) : nil
  }
}
