package import Foundation

/// One event as it is stored.
package struct JournalEvent: Hashable, Sendable {
  /// Counts from 1 within the actor; set by the journal when it appends.
  package var sequence: UInt64
  /// The event's name, past tense, for example `purchased`.
  package var name: String
  /// Store time in milliseconds since 1970.
  package var at: Int64
  /// JSON.
  package var body: Data

  package init(sequence: UInt64 = 0, name: String, at: Int64, body: Data) {
    self.sequence = sequence
    self.name = name
    self.at = at
    self.body = body
  }
}
