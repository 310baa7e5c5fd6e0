package import Foundation
package import Wire

/// A request id with the reply that was given, kept so that a retry gets the same one.
package struct AnsweredRequest: Hashable, Sendable {
  /// How many answered requests are kept for each actor: the newest.
  package static let keptPerActor = 256

  package var id: RequestID
  /// The reply's body, JSON.
  package var reply: Data

  package init(id: RequestID, reply: Data) {
    self.id = id
    self.reply = reply
  }
}
