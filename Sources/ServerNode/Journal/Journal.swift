package import Shared
package import Wire

/// The durable, append-only truth of a server node: every actor's events, and what commits with them.
///
/// A journal is synchronous and used from one thread at a time; `JournalWriter` gives it a thread and groups commits.
/// Every backend passes the same conformance tests.
package protocol Journal: AnyObject {
  /// What a node needs to go on where it was: called once, before anything else. Counts the opening, durably.
  func recover() throws(JournalError) -> JournalRecovery

  /// All that is stored of one actor, with every event; an actor never seen before is empty.
  func load(_ actor: ActorAddress) throws(JournalError) -> StoredActor

  /// What an actor needs to go on where it was: its snapshot, if it has one, and the events after it.
  func activate(_ actor: ActorAddress) throws(JournalError) -> StoredActor

  /// The events of one actor with a sequence above `sequence`, oldest first, at most `limit`.
  func events(of actor: ActorAddress, after sequence: UInt64, limit: Int) throws(JournalError) -> [JournalEvent]

  /// Those of an account's records that have these ids, in the order of the ids.
  func records(of actor: ActorAddress, ids: [TransactionID]) throws(JournalError) -> [StoredRecord]

  /// An account's records as a query asks for them. The cost depends on the page, not on the number of records.
  func records(of actor: ActorAddress, matching query: RecordQuery) throws(JournalError) -> RecordPage

  /// A world's notifications as a query asks for them, with their payloads.
  func notifications(
    of actor: ActorAddress, matching query: NotificationQuery
  ) throws(JournalError) -> NotificationPage

  /// The keys of all actors of one kind in a world that have events, in order.
  func actors(world: String, kind: ActorAddress.Kind) throws(JournalError) -> [String]

  /// Commits `appends` in one transaction and returns when it is on disk. Each append stands alone: one that is
  /// refused (every result but `committed`) leaves no trace, the others commit. The order is kept, so that an append
  /// sees what the ones before it did.
  ///
  /// A thrown error means that none is visible to whoever reads this journal now. A disk that fails in the very last
  /// step, the fsync, may still bring them back after a crash; so the caller answers with a retriable error, and the
  /// retry carries the same request id.
  func commit(_ appends: [JournalAppend]) throws(JournalError) -> [JournalAppendResult]

  /// Deletes all that is stored of the actors in a world except `keeping`, with every effect and effect number to or
  /// from them, and gives the world a higher epoch, which is returned. Effect numbers between erased actors start
  /// again at 1: whoever still carries an effect from before must drop it.
  @discardableResult
  func erase(world: String, keeping: [ActorAddress]) throws(JournalError) -> UInt64

  /// Lets go of the files; a later call throws.
  func close()
}
