package import Foundation
package import Wire

/// What asks the actors of a fleet.
package protocol ActorAsker: Sendable {
  /// Asks an actor, again with the same request id while the answer may still come.
  ///
  /// - Throws: `WireError` when the actor says no, or nobody answers in time.
  func ask<R: Request>(
    _ request: R, of address: ActorAddress, attachments: [Data]
  ) async throws -> R.Reply
}
