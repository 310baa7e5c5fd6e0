import Shared

/// An id as paths have it: of a transaction, or of the app that a customer has.
enum APITransactionID: Hashable {
  case transaction(TransactionID)
  case app(TransactionID)

  /// Nil for what is no id at all: something else than 1 to 19 digits.
  init?(_ text: String?) {
    guard let text, text.utf8.count <= 19, let id = TransactionID(text) else { return nil }
    self = StoreNumbers.isAppTransaction(id) ? .app(id) : .transaction(id)
  }

  /// The number of the account that it belongs to; nil for a number that no account's ids can be.
  var ordinal: UInt64? {
    switch self {
    case .transaction(let id), .app(let id): StoreNumbers.ordinal(of: id)
    }
  }
}
