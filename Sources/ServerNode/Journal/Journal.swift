package import Foundation
package import Wire

/// The durable, append-only truth of a server node: every actor's events, and what commits with them.
///
/// A journal is synchronous and used from one thread at a time; `JournalWriter` gives it a thread and groups commits.
/// Every backend passes the same conformance tests.
package protocol Journal: AnyObject {
  /// What a node needs to go on where it was: called once, before anything else.
  func recover() throws(JournalError) -> JournalRecovery

  /// All that is stored of one actor; an actor never seen before is empty.
  func load(_ actor: ActorAddress) throws(JournalError) -> StoredActor

  /// The events of one actor with a sequence above `sequence`, oldest first, at most `limit`.
  func events(of actor: ActorAddress, after sequence: UInt64, limit: Int) throws(JournalError) -> [JournalEvent]

  /// The keys of all actors of one kind in a world that have events, in order.
  func actors(world: String, kind: ActorAddress.Kind) throws(JournalError) -> [String]

  /// Commits `appends` in one transaction and returns when it is on disk. Each append stands alone: one that does not
  /// find its `expectedSequence` is refused and leaves no trace, the others commit. A thrown error means that none did.
  func commit(_ appends: [JournalAppend]) throws(JournalError) -> [JournalAppendResult]

  /// Deletes all that is stored of the actors in a world except `keeping`, and gives the world a higher epoch.
  func erase(world: String, keeping: [ActorAddress]) throws(JournalError)

  func close()
}

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

/// What one command of one actor leaves behind, all or nothing.
package struct JournalAppend: Sendable {
  package var actor: ActorAddress
  /// How many events the actor had when the command was decided.
  package var expectedSequence: UInt64
  package var events: [JournalEvent]
  /// The request that caused the events and the reply that it gets, now and at each retry.
  package var answered: AnsweredRequest?
  package var timers: [TimerChange]
  /// Effects on other actors, to be applied there exactly once.
  package var effects: [OutboundEffect]
  /// The effect of another actor that this append applies; it leaves that actor's outbox in the same transaction.
  package var applies: EffectID?

  package init(
    actor: ActorAddress, expectedSequence: UInt64, events: [JournalEvent] = [], answered: AnsweredRequest? = nil,
    timers: [TimerChange] = [], effects: [OutboundEffect] = [], applies: EffectID? = nil
  ) {
    self.actor = actor
    self.expectedSequence = expectedSequence
    self.events = events
    self.answered = answered
    self.timers = timers
    self.effects = effects
    self.applies = applies
  }
}

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

/// A durable timer of an actor, by name; setting a name again moves it.
package enum TimerChange: Hashable, Sendable {
  /// `due` is store time in milliseconds since 1970.
  case set(name: String, due: Int64)
  case clear(name: String)
}

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

/// Names an effect: the n-th that `source` ever sent to `target`.
package struct EffectID: Hashable, Sendable {
  package var source: ActorAddress
  package var target: ActorAddress
  /// Counts from 1 for each (source, target).
  package var number: UInt64

  package init(source: ActorAddress, target: ActorAddress, number: UInt64) {
    self.source = source
    self.target = target
    self.number = number
  }
}

/// What one actor does to another: committed with its cause, delivered until the target has applied it.
package struct OutboundEffect: Hashable, Sendable {
  package var id: EffectID
  package var name: String
  /// JSON.
  package var body: Data

  package init(id: EffectID, name: String, body: Data) {
    self.id = id
    self.name = name
    self.body = body
  }
}

package struct StoredActor: Hashable, Sendable {
  package var events: [JournalEvent] = []
  /// The newest `AnsweredRequest.keptPerActor`, oldest first.
  package var answered: [AnsweredRequest] = []
  /// The number of the last effect applied from each source.
  package var applied: [ActorAddress: UInt64] = [:]
  /// The number of the last effect sent to each target.
  package var sent: [ActorAddress: UInt64] = [:]

  package init() {}

  package var sequence: UInt64 { events.last?.sequence ?? 0 }
}

package struct JournalRecovery: Hashable, Sendable {
  /// How often this journal was opened: a node's incarnation.
  package var incarnation: UInt64
  /// Each world's epoch; 1 where nothing is said.
  package var epochs: [String: UInt64]
  package var timers: [StoredTimer]
  /// Effects that were committed but not yet applied, in the order of commit.
  package var effects: [OutboundEffect]

  package init(incarnation: UInt64, epochs: [String: UInt64], timers: [StoredTimer], effects: [OutboundEffect]) {
    self.incarnation = incarnation
    self.epochs = epochs
    self.timers = timers
    self.effects = effects
  }
}

package enum JournalAppendResult: Hashable, Sendable {
  /// On disk; the actor now has this many events.
  case committed(sequence: UInt64)
  /// Another writer was faster: the actor has this many events, not the expected number.
  case conflict(sequence: UInt64)
}

/// Why the journal could not do it: one sentence for a person, and whether to try again.
package struct JournalError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The file or folder cannot be opened or written.
    case unwritable
    /// No space left.
    case full
    /// Written by a version that this build does not know.
    case unknownFormat
    /// Not a journal, or damaged.
    case corrupt
    /// Another process has it.
    case busy
    /// Anything else.
    case failed
  }

  package var code: Code
  /// What, where, what was expected, what to do.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
