/// What a node needs to go on where it was.
package struct JournalRecovery: Hashable, Sendable {
  /// How often this journal was opened: a node's incarnation.
  package var incarnation: UInt64
  /// Each world's epoch; 1 where nothing is said.
  package var epochs: [String: UInt64]
  /// The worlds that were made.
  package var worlds: [String]
  /// Earliest first.
  package var timers: [StoredTimer]
  /// Effects that were committed but not yet applied, in the order of commit.
  package var effects: [OutboundEffect]
  /// The worlds with notifications that are still to be tried, in order.
  package var notifying: [String]

  package init(
    incarnation: UInt64, epochs: [String: UInt64], worlds: [String] = [], timers: [StoredTimer],
    effects: [OutboundEffect], notifying: [String] = []
  ) {
    self.incarnation = incarnation
    self.epochs = epochs
    self.worlds = worlds
    self.timers = timers
    self.effects = effects
    self.notifying = notifying
  }
}
