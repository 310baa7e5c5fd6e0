import Wire

/// What an in-memory journal stores.
struct InMemoryJournalState {
  var actors: [ActorAddress: StoredActor] = [:]
  var snapshots: [ActorAddress: StoredSnapshot] = [:]
  /// In the order of their last modification.
  var records: [ActorAddress: [StoredRecord]] = [:]
  /// The highest change that a record of the actor ever had.
  var changes: [ActorAddress: UInt64] = [:]
  /// By number.
  var notifications: [ActorAddress: [UInt64: StoredNotification]] = [:]
  var timers: [ActorAddress: [String: Int64]] = [:]
  /// By the order of commit.
  var outbox: [UInt64: OutboundEffect] = [:]
  var places: [EffectID: UInt64] = [:]
  var effectCount: UInt64 = 0
  var epochs: [String: UInt64] = [:]
  var incarnation: UInt64 = 0

  mutating func store(_ append: JournalAppend) -> UInt64 {
    var sequence = append.expectedSequence
    let actor = append.actor
    for event in append.events {
      sequence += 1
      var event = event
      event.sequence = sequence
      actors[actor, default: StoredActor()].events.append(event)
    }
    if append.forgetsRecords { records[actor] = nil }
    for record in append.records { store(record, of: actor) }
    for notification in append.notifications {
      notifications[actor, default: [:]][notification.number] = notification
    }
    if let body = append.snapshot {
      let at = actors[actor]?.events.last?.at ?? .min
      snapshots[actor] = StoredSnapshot(sequence: sequence, at: at, body: body)
    }
    if let answered = append.answered {
      actors[actor, default: StoredActor()].answered.append(answered)
      let excess = actors[actor, default: StoredActor()].answered.count - AnsweredRequest.keptPerActor
      if excess > 0 { actors[actor]?.answered.removeFirst(excess) }
    }
    for change in append.timers {
      switch change {
      case .set(let name, let due): timers[actor, default: [:]][name] = due
      case .clear(let name): timers[actor]?[name] = nil
      }
    }
    for effect in append.effects {
      effectCount += 1
      outbox[effectCount] = effect.written
      places[effect.id] = effectCount
      actors[actor, default: StoredActor()].sent[effect.id.target] = effect.id.number
    }
    if let applies = append.applies {
      if let place = places.removeValue(forKey: applies) { outbox[place] = nil }
      actors[actor, default: StoredActor()].applied[applies.source] = applies.number
    }
    return sequence
  }

  private mutating func store(_ record: StoredRecord, of actor: ActorAddress) {
    changes[actor, default: 0] += 1
    var record = record
    record.change = changes[actor, default: 0]
    records[actor, default: []].removeAll { $0.id == record.id }
    records[actor, default: []].append(record)
  }

  mutating func erase(world: String, keeping: Set<ActorAddress>) -> UInt64 {
    func isErased(_ actor: ActorAddress) -> Bool { actor.world == world && !keeping.contains(actor) }
    actors = actors.filter { actor, _ in !isErased(actor) }.mapValues { stored in
      var stored = stored
      stored.sent = stored.sent.filter { target, _ in !isErased(target) }
      stored.applied = stored.applied.filter { source, _ in !isErased(source) }
      return stored
    }
    snapshots = snapshots.filter { actor, _ in !isErased(actor) }
    records = records.filter { actor, _ in !isErased(actor) }
    changes = changes.filter { actor, _ in !isErased(actor) }
    notifications = notifications.filter { actor, _ in !isErased(actor) }
    timers = timers.filter { actor, _ in !isErased(actor) }
    outbox = outbox.filter { _, effect in !isErased(effect.id.source) && !isErased(effect.id.target) }
    places = places.filter { effect, _ in !isErased(effect.source) && !isErased(effect.target) }
    epochs[world, default: 1] += 1
    return epochs[world, default: 1]
  }

  var recovery: JournalRecovery {
    let timers = timers.flatMap { actor, timers in
      timers.map { name, due in StoredTimer(actor: actor, name: name, due: due) }
    }
    return JournalRecovery(
      incarnation: incarnation, epochs: epochs,
      worlds: actors.keys.filter { $0.kind == .world && $0.key == $0.world }.map(\.world).sorted(),
      timers: timers.sorted { left, right in
        (left.due, left.actor, left.name) < (right.due, right.actor, right.name)
      },
      effects: outbox.sorted { left, right in left.key < right.key }.map(\.value),
      notifying: notifications.filter { _, all in all.values.contains(where: \.isOpen) }.map(\.key.world).sorted())
  }
}

extension InMemoryJournalState: JournalLookup {
  func sequence(of actor: ActorAddress) -> UInt64 { actors[actor]?.sequence ?? 0 }

  func reply(of actor: ActorAddress, to request: RequestID) -> AnsweredRequest? {
    actors[actor]?.answered.first { answered in answered.id == request }
  }

  func sent(from source: ActorAddress, to target: ActorAddress) -> UInt64 { actors[source]?.sent[target] ?? 0 }

  func applied(from source: ActorAddress, to target: ActorAddress) -> UInt64 { actors[target]?.applied[source] ?? 0 }

  func isWaiting(_ effect: EffectID) -> Bool { places[effect] != nil }
}
