package import Foundation
package import Shared
import Synchronization
package import Wire

/// A transaction as it was on disk when it was read, with what is answered about it.
package final class KnownTransaction: Sendable {
  package let account: ActorAddress
  package let record: TransactionRecord
  private let made = Mutex<Data?>(nil)

  package init(_ record: TransactionRecord, of account: ActorAddress) {
    self.record = record
    self.account = account
  }

  /// What `make` makes, which is kept: once for as long as the transaction is as it is.
  package func answer(_ make: () async throws -> Data) async throws -> Data {
    if let known = made.withLock({ $0 }) { return known }
    let answer = try await make()
    made.withLock { $0 = answer }
    return answer
  }
}
