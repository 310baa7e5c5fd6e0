package import Wire

/// A timer that is set.
package struct StoredTimer: Hashable, Sendable {
  package var actor: ActorAddress
  package var name: String
  /// Store time in milliseconds since 1970.
  package var due: Int64

  package init(actor: ActorAddress, name: String, due: Int64) {
    self.actor = actor
    self.name = name
    self.due = due
  }
}
