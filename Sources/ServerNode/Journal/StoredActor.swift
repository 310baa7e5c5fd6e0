package import Wire

/// All that is stored of one actor.
package struct StoredActor: Hashable, Sendable {
  /// Nil when the events are all that there are.
  package var snapshot: StoredSnapshot?
  /// Those after the snapshot.
  package var events: [JournalEvent] = []
  /// The newest `AnsweredRequest.keptPerActor`, oldest first.
  package var answered: [AnsweredRequest] = []
  /// The number of the last effect applied from each source.
  package var applied: [ActorAddress: UInt64] = [:]
  /// The number of the last effect sent to each target.
  package var sent: [ActorAddress: UInt64] = [:]

  package init() {}

  package var sequence: UInt64 { events.last?.sequence ?? snapshot?.sequence ?? 0 }
}
