package import Foundation

/// What became of one append. Where several would fit, the first in this order is given.
package enum JournalAppendResult: Hashable, Sendable {
  /// The effect that it applies needs nothing more: it was applied before, or its world was erased since. Nothing was
  /// stored; the actor has this many events.
  case alreadyApplied(sequence: UInt64)
  /// The actor gave this reply to the same request before. Nothing was stored; answer with this reply.
  case alreadyAnswered(reply: Data)
  /// Decided on another state than the stored one: the actor has this many events, not the expected number, or an
  /// effect is not the next in its line. Nothing was stored; load the actor and decide again.
  case conflict(sequence: UInt64)
  /// On disk; the actor now has this many events.
  case committed(sequence: UInt64)
}
