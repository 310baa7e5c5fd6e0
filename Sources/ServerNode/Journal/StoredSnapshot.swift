package import Foundation

/// An actor's state after some of its events, so that it need not replay them. It says nothing that the events do not:
/// whoever cannot read it does without.
package struct StoredSnapshot: Hashable, Sendable {
  /// How many events it stands for.
  package var sequence: UInt64
  /// The store time of the newest of them, in milliseconds since 1970.
  package var at: Int64
  /// JSON.
  package var body: Data

  package init(sequence: UInt64, at: Int64, body: Data) {
    self.sequence = sequence
    self.at = at
    self.body = body
  }
}
