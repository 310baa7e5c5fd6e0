package import Wire

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

  /// The keys and the number tell nearly all effects apart; hashing worlds and kinds too would cost twice as much.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(source.key)
    hasher.combine(target.key)
  }
}
