package import Shared
import Synchronization
package import Wire

/// A transaction as it was on disk when it was read, with what is answered about it.
package final class KnownTransaction: Sendable {
  package let account: ActorAddress
  package let record: TransactionRecord
  private let made = Mutex<(any AnyObject & Sendable)?>(nil)

  package init(_ record: TransactionRecord, of account: ActorAddress) {
    self.record = record
    self.account = account
  }

  /// What is answered about it, in the form of whoever answers, once that was made: good for as long as the transaction
  /// is as it is.
  package var answer: (any AnyObject & Sendable)? {
    get { made.withLock { $0 } }
    set { made.withLock { $0 = newValue } }
  }
}
