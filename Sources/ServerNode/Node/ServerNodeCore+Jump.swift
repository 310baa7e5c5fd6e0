import Foundation
import Shared
import Wire

/// Timers that are due are played in groups: each at its own time, in order, with all its effects before the next one, in
/// memory; then the group is committed, all of it or nothing; and then it is published.
///
/// A commit for each timer would cost a clock jump an fsync for each. What is decided, and in which order, is the same.
extension ServerNodeCore {
  /// Begins with the next timer that is due.
  mutating func beginBatch(_ world: String, _ first: TimerHeap.Entry) {
    worlds[world]?.outstanding += 1
    let batch = JumpBatch(ticket: ticket(), first: first)
    play(batch, in: world)
  }

  /// An actor that a batch waited for is there, or cannot be loaded.
  mutating func resumeBatch(_ address: ActorAddress) {
    guard var batch = worlds[address.world]?.batch, batch.waitsFor == address else { return }
    worlds[address.world]?.batch = nil
    batch.waitsFor = nil
    play(batch, in: address.world, failedToLoad: cells[address]?.isReady == true ? nil : address)
  }

  private enum Readiness {
    case ready
    case mustLoad
    /// Something else is on its way: its turn comes the usual way.
    case busy
  }

  private mutating func readiness(of address: ActorAddress, for ticket: Ticket) -> Readiness {
    switch cells[address]?.glance().phase {
    case .ready: return .ready
    case .committing(ticket): return .ready
    case .committing: return .busy
    case .loading: return .mustLoad
    case .reading: return .busy
    case nil: return blankActor(at: address) == nil ? .busy : .mustLoad
    }
  }

  private mutating func play(_ batch: JumpBatch, in world: String, failedToLoad: ActorAddress? = nil) {
    var batch = batch
    let most = worlds[world]?.batchLimit ?? 1
    let now = worlds[world]?.state?.now(machine: moment.wall) ?? moment.wall
    let mayNotify = mayNotify(world)
    while true {
      if let effect = batch.effects.popFirst() {
        let target = effect.stored.id.target
        switch target == failedToLoad ? .busy : readiness(of: target, for: batch.ticket) {
        case .ready: play(effect, in: &batch)
        case .mustLoad:
          batch.effects.putBack(effect)
          return wait(batch, for: target)
        case .busy: batch.leftOver.append(effect.stored)
        }
        continue
      }
      // Effects that come later must not be overtaken by the next timer.
      guard batch.leftOver.isEmpty, batch.commits.count < most, batch.byteCount < JumpBatch.mostBytes,
        let next = worlds[world]?.nextTimer(), next.due <= now, next.actor.kind != .world,
        !mayNotify || notificationsAllow(timerAt: next.due, in: world, batch: batch.ticket)
      else { break }
      switch next.actor == failedToLoad ? .busy : readiness(of: next.actor, for: batch.ticket) {
      case .ready: play(next, in: &batch)
      case .mustLoad: return wait(batch, for: next.actor)
      case .busy:
        guard batch.commits.isEmpty else { return commit(batch, of: world) }
        return deliver(.timer(name: next.name, due: next.due), to: next.actor)
      }
    }
    commit(batch, of: world)
  }

  private mutating func wait(_ batch: JumpBatch, for address: ActorAddress) {
    var batch = batch
    batch.waitsFor = address
    worlds[address.world]?.batch = batch
    wake(address)
  }

  // MARK: Turns

  private mutating func play(_ timer: TimerHeap.Entry, in batch: inout JumpBatch) {
    let address = timer.actor
    let cell = cells[address]?.glance()
    let actual = cell?.timers[timer.name]
    guard actual == timer.due else { return set(timer.name, of: address, to: actual, in: &batch) }
    count { $0.timers += 1 }
    let envelope = Envelope.timer(name: timer.name, due: timer.due)
    let context = context(for: envelope, at: address, time: nil, cell)
    do {
      guard let outcome = try cells[address]?.actor.receive(.timer(name: timer.name), in: context) else { return }
      take(outcome, envelope, address, now: context.now, in: &batch)
    } catch {
      emit(.log("\(address) cannot play timer '\(timer.name)': \(error.message)"))
      cells[address]?.timers[timer.name] = nil
      set(timer.name, of: address, to: nil, in: &batch)
    }
  }

  private mutating func play(_ effect: JumpBatch.Effect, in batch: inout JumpBatch) {
    let address = effect.stored.id.target
    let source = effect.stored.id.source
    // An earlier one still waits for its turn on the usual way.
    guard effect.stored.id.number == (cells[address]?.applied[source] ?? 0) + 1 else {
      return batch.leftOver.append(effect.stored)
    }
    let envelope = Envelope.effect(effect.stored)
    let context = context(for: envelope, at: address, time: effect.decoded.at)
    do {
      guard let outcome = try cells[address]?.actor.receive(.effect(effect.decoded.effect, from: source), in: context)
      else { return }
      take(outcome, envelope, address, now: context.now, in: &batch)
    } catch {
      emit(.log("\(address) refuses '\(effect.stored.name)' from \(source): \(error.message)"))
      take(ActorOutcome(), envelope, address, now: context.now, in: &batch)
    }
  }

  /// What a turn leaves is as if it were on disk for the turns of the batch that follow.
  private mutating func take(
    _ outcome: ActorOutcome, _ envelope: Envelope, _ address: ActorAddress, now: StoreTime, in batch: inout JumpBatch
  ) {
    let commit = pendingCommit(of: outcome, envelope, address, now: now)
    for change in commit.append.timers {
      switch change {
      case .set(let name, let due): set(name, of: address, to: StoreTime(milliseconds: due), in: &batch)
      case .clear(let name): set(name, of: address, to: nil, in: &batch)
      }
    }
    guard commit.needsAppend else { return }
    cells[address]?.remember(commit, sequence: commit.append.expectedSequence + UInt64(commit.append.events.count))
    if batch.actors.insert(address).inserted {
      turn += 1
      cells[address]?.lastTurn = turn
      cells[address]?.phase = .committing(batch.ticket)
    }
    for (stored, effect) in zip(commit.append.effects, outcome.effects) {
      batch.effects.append(JumpBatch.Effect(stored: stored, decoded: TimedEffect(at: now, effect: effect.effect)))
    }
    batch.byteCount += commit.append.byteCount
    batch.commits.append(commit)
  }

  private mutating func set(_ name: String, of actor: ActorAddress, to due: StoreTime?, in batch: inout JumpBatch) {
    batch.timersBefore.append((actor, name, setTimer(name, of: actor, to: due)))
  }

  /// - Returns: when it was due before.
  @discardableResult
  private mutating func setTimer(_ name: String, of actor: ActorAddress, to due: StoreTime?) -> StoreTime? {
    if let due {
      worlds[actor.world]?.timers.set(actor, name, due: due)
    } else {
      worlds[actor.world]?.timers.clear(actor, name)
    }
  }

  // MARK: Commits

  private mutating func commit(_ batch: JumpBatch, of world: String) {
    guard !batch.commits.isEmpty else {
      // The timers were of no consequence: cleared or moved meanwhile.
      worlds[world]?.outstanding -= 1
      return pump(world)
    }
    worlds[world]?.batch = batch
    batches[batch.ticket] = world
    emit(.appendTogether(batch.ticket, batch.commits.map(\.append)))
  }

  mutating func appendedTogether(_ ticket: Ticket, _ result: Result<[JournalAppendResult], JournalError>) {
    guard let world = batches.removeValue(forKey: ticket), let batch = worlds[world]?.batch else { return }
    worlds[world]?.batch = nil
    switch result {
    case .success(let results): finish(batch, results, of: world)
    case .failure(let error): fail(batch, error, of: world)
    }
  }

  private mutating func finish(_ batch: JumpBatch, _ results: [JournalAppendResult], of world: String) {
    let limit = worlds[world]?.batchLimit ?? 1
    worlds[world]?.batchLimit = min(JumpBatch.mostAppends, limit * 2)
    var refused: Set<ActorAddress> = []
    for (commit, result) in zip(batch.commits, results) {
      guard case .committed(let sequence) = result else {
        // Another writer was there: the actor is loaded anew, and its timers are played again as it then wants them.
        count { $0.conflicts += 1 }
        refused.insert(commit.address)
        continue
      }
      count { $0.commits += 1 }
      noteCommitted(commit, sequence: sequence)
      publish(commit, at: commit.address)
      complete(commit)
    }
    if !refused.isEmpty {
      putBackTimers(batch) { refused.contains($0) }
    }
    worlds[world]?.outstanding += batch.leftOver.count - 1
    for address in batch.actors.sorted() {
      if refused.contains(address) { reload(address, first: nil) } else { letGo(address) }
    }
    for effect in batch.leftOver { deliver(.effect(effect), to: effect.id.target) }
    if worlds[world]?.outstanding == 0 { pump(world) }
  }

  /// Nothing of it is on disk: everything is as it was before. The first timer is tried alone after a while, so that one
  /// append that cannot be stored does not take others along.
  private mutating func fail(_ batch: JumpBatch, _ error: JournalError, of world: String) {
    emit(.log("\(batch.commits.count) appends of world '\(world)' could not commit: \(error.message)"))
    worlds[world]?.batchLimit = 1
    putBackTimers(batch) { _ in true }
    let first = Envelope.timer(name: batch.first.name, due: batch.first.due)
    putOff(first, batch.first.actor, WireError(.unavailable, error.message))
    for address in batch.actors.sorted() { reload(address, first: nil) }
  }

  private mutating func putBackTimers(_ batch: JumpBatch, where isMeant: (ActorAddress) -> Bool) {
    for (actor, name, due) in batch.timersBefore.reversed() where isMeant(actor) { setTimer(name, of: actor, to: due) }
  }

  /// The actor takes its messages again.
  private mutating func letGo(_ address: ActorAddress) {
    cells[address]?.phase = .ready
    if address.kind == .notifications { driveNotifications(address.world) }
    run(address)
  }
}
