package import Foundation
package import Wire

/// What one command of one actor leaves behind, all or nothing.
package struct JournalAppend: Sendable {
  package var actor: ActorAddress
  /// How many events the actor had when the command was decided.
  package var expectedSequence: UInt64
  /// In order; the journal sets their `sequence`.
  package var events: [JournalEvent]
  /// The request that caused the events and the reply that it gets, now and at each retry.
  package var answered: AnsweredRequest?
  package var timers: [TimerChange]
  /// Effects on other actors, to be applied there exactly once. Their source is `actor`, and their numbers go on where
  /// `StoredActor.sent` stands.
  package var effects: [OutboundEffect]
  /// The effect of another actor that this append applies; it leaves that actor's outbox in the same transaction.
  /// Its target is `actor`.
  package var applies: EffectID?
  /// Transactions that the events made or changed, as they are after them; the journal sets their `change`.
  package var records: [StoredRecord] = []
  /// Whether all records of the actor from before are gone.
  package var forgetsRecords = false
  /// Notifications that the events made or changed, as they are after them; each takes the place of the one with its
  /// number.
  package var notifications: [StoredNotification] = []
  /// The actor's state after the events, JSON; replaces the snapshot before.
  package var snapshot: Data?

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

  /// How many bytes the journal has to store, its own keys apart.
  package var byteCount: Int {
    var count = answered.map { answered in answered.reply.count + 16 } ?? 0
    for event in events { count += event.name.utf8.count + event.body.count }
    for record in records { count += record.productId.utf8.count + record.body.count }
    count += snapshot?.count ?? 0
    // About as much as a row of each takes.
    count += 256 * notifications.count
    for effect in effects { count += effect.byteCount }
    return count
  }
}
