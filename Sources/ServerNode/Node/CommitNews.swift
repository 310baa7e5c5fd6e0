import Foundation
import Wire

/// What others hear of a commit once it is on disk.
struct CommitNews {
  var address: ActorAddress
  /// How many events there were before.
  var sequence: UInt64
  var events: [JournalEvent]
  /// One for each event.
  var publications: [ActorOutcome.Publication?]
  /// What is now known, for the requests that waited for it.
  var completed: [(key: String, result: Result<Data, WireError>)]
}
