import Wire

extension JournalAppend {
  /// Why the append must leave no trace; nil when it may commit. One rule for every backend.
  func refusal<Lookup: JournalLookup>(by lookup: Lookup) throws(Lookup.Failure) -> JournalAppendResult? {
    let sequence = try lookup.sequence(of: actor)
    if let applies {
      let applied = try lookup.applied(from: applies.source, to: applies.target)
      guard applies.number > applied, try lookup.isWaiting(applies) else { return .alreadyApplied(sequence: sequence) }
      guard applies.number == applied + 1 else { return .conflict(sequence: sequence) }
    }
    if let answered, let given = try lookup.reply(of: actor, to: answered.id) {
      return .alreadyAnswered(reply: given.reply)
    }
    guard sequence == expectedSequence else { return .conflict(sequence: sequence) }
    if effects.isEmpty { return nil }
    var sent: [ActorAddress: UInt64] = [:]
    for effect in effects {
      let target = effect.id.target
      let last =
        if effects.count > 1, let last = sent[target] { last } else { try lookup.sent(from: actor, to: target) }
      guard effect.id.number == last + 1 else { return .conflict(sequence: sequence) }
      if effects.count > 1 { sent[target] = last + 1 }
    }
    return nil
  }

  /// Throws when the append is addressed so that no journal could store it: a defect of the caller.
  func checkAddresses() throws(JournalError) {
    if let effect = effects.first(where: { effect in effect.id.source != actor }) {
      throw JournalError(
        .failed,
        "An append of \(actor) carries effect \(effect.name) of \(effect.id.source); an actor sends only effects of "
          + "its own. Nothing was stored; please report this.")
    }
    if let applies, applies.target != actor {
      throw JournalError(
        .failed,
        "An append of \(actor) applies an effect on \(applies.target); an actor applies only effects on itself. "
          + "Nothing was stored; please report this.")
    }
  }
}
