import Foundation
package import Shared
package import Wire

/// One event of an account's journal, for people.
package struct TimelineLine: Sendable, Hashable {
  package var account: String
  package var sequence: UInt64
  package var name: String
  package var at: StoreTime
  /// The transactions that it is about, such as `com.example.app.lifetime #2000000012`.
  package var subjects: [String]

  package init(account: String, entry: ReadJournal.Entry) {
    self.account = account
    sequence = entry.sequence
    name = entry.name
    at = entry.at
    let body = try? LedgerBody.read(entry.body)
    let records = (body?.records ?? []).map { "\($0.productId) #\($0.transactionId)" }
    subjects = records + (body?.finished ?? []).map { "#\($0)" }
  }

  package var text: String {
    ([at.description, account, name] + subjects).joined(separator: "  ")
  }
}
