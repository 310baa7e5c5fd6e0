import Wire

/// What a backend looks up to judge an append.
protocol JournalLookup {
  associatedtype Failure: Error

  func sequence(of actor: ActorAddress) throws(Failure) -> UInt64
  func reply(of actor: ActorAddress, to request: RequestID) throws(Failure) -> AnsweredRequest?
  /// The number of the last effect that `source` sent to `target`; 0 when none.
  func sent(from source: ActorAddress, to target: ActorAddress) throws(Failure) -> UInt64
  /// The number of the last effect of `source` that `target` applied; 0 when none.
  func applied(from source: ActorAddress, to target: ActorAddress) throws(Failure) -> UInt64
  /// Whether the effect is in its source's outbox.
  func isWaiting(_ effect: EffectID) throws(Failure) -> Bool
}
