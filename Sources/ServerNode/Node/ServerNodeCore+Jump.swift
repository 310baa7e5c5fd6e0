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

  private mutating func play(_ batch: consuming JumpBatch, in world: String, failedToLoad: ActorAddress? = nil) {
    guard let glance = worlds[world]?.glance(at: moment.wall), let most = worlds[world]?.batchLimit else { return }
    var batch = batch
    let mayNotify = mayNotify(world)
    let setting = ActorCell.BatchSetting(ticket: batch.ticket, world: glance)
    while true {
      if let effect = batch.effects.popFirst() {
        let target = effect.id.target
        switch target == failedToLoad ? .busy : play(effect, in: setting, &batch) {
        case .played, .moved, .unplayable: break
        case .mustLoad:
          batch.effects.putBack(effect)
          return wait(batch, for: target)
        case .busy, .outOfOrder: batch.leftOver.append(effect)
        }
        continue
      }
      // Effects that come later must not be overtaken by the next timer.
      guard batch.leftOver.isEmpty, batch.appends.count < most, batch.byteCount < JumpBatch.mostBytes,
        let next = worlds[world]?.nextTimer(), next.due <= glance.now, next.actor.kind != .world,
        !mayNotify || notificationsAllow(timerAt: next.due, in: world, batch: batch.ticket)
      else { break }
      switch next.actor == failedToLoad ? .busy : play(next, in: setting, &batch) {
      case .played, .moved, .unplayable: break
      case .mustLoad: return wait(batch, for: next.actor)
      case .busy, .outOfOrder:
        guard batch.appends.isEmpty else { return commit(batch, of: world) }
        return deliver(.timer(name: next.name, due: next.due), to: next.actor)
      }
    }
    commit(batch, of: world)
  }

  private mutating func wait(_ batch: consuming JumpBatch, for address: ActorAddress) {
    var batch = batch
    batch.waitsFor = address
    worlds[address.world]?.batch = batch
    wake(address)
  }

  // MARK: Turns

  private mutating func play(
    _ timer: TimerHeap.Entry, in setting: ActorCell.BatchSetting, _ batch: inout JumpBatch
  ) -> ActorCell.BatchTurn {
    let address = timer.actor
    let result = cells[address]?.play(timer, in: setting, turn: turn + 1) ?? absent(address)
    switch result {
    case .played(let commit, let isFirst, _):
      count { $0.timers += 1 }
      take(commit, isFirst: isFirst, in: &batch)
    case .moved(let due): set(timer.name, of: address, to: due, in: &batch)
    case .unplayable(let error):
      count { $0.timers += 1 }
      emit(.log("\(address) cannot play timer '\(timer.name)': \(error.message)"))
      set(timer.name, of: address, to: nil, in: &batch)
    case .mustLoad, .busy, .outOfOrder: break
    }
    return result
  }

  private mutating func play(
    _ effect: OutboundEffect, in setting: ActorCell.BatchSetting, _ batch: inout JumpBatch
  ) -> ActorCell.BatchTurn {
    let address = effect.id.target
    let isOpened = isOpenedAccount(address)
    let result = cells[address]?.play(effect, isOpenedAccount: isOpened, in: setting, turn: turn + 1) ?? absent(address)
    if case .played(let commit, let isFirst, let refusal) = result {
      if let refusal {
        emit(.log("\(address) refuses '\(effect.name)' from \(effect.id.source): \(refusal.message)"))
      }
      take(commit, isFirst: isFirst, in: &batch)
    }
    return result
  }

  private func absent(_ address: ActorAddress) -> ActorCell.BatchTurn {
    blankActor(at: address) == nil ? .busy : .mustLoad
  }

  /// What a turn leaves is as if it were on disk for the turns of the batch that follow.
  private mutating func take(_ commit: PendingCommit, isFirst: Bool, in batch: inout JumpBatch) {
    for change in commit.append.timers {
      switch change {
      case .set(let name, let due): set(name, of: commit.address, to: StoreTime(milliseconds: due), in: &batch)
      case .clear(let name): set(name, of: commit.address, to: nil, in: &batch)
      }
    }
    guard commit.needsAppend else { return }
    if isFirst {
      turn += 1
      batch.actors.append(commit.address)
    }
    for effect in commit.append.effects { batch.effects.append(effect) }
    batch.byteCount += commit.append.byteCount
    batch.news.append(commit.news)
    batch.appends.append(commit.append)
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

  private mutating func commit(_ batch: consuming JumpBatch, of world: String) {
    guard !batch.appends.isEmpty else {
      // The timers were of no consequence: cleared or moved meanwhile.
      worlds[world]?.outstanding -= 1
      return pump(world)
    }
    var batch = batch
    batches[batch.ticket] = world
    emit(.appendTogether(batch.ticket, batch.appends))
    batch.appends = []
    worlds[world]?.batch = batch
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
    for index in 0..<min(batch.news.count, results.count) {
      guard case .committed(let sequence) = results[index] else {
        // Another writer was there: the actor is loaded anew, and its timers are played again as it then wants them.
        count { $0.conflicts += 1 }
        refused.insert(batch.news[index].address)
        continue
      }
      count { $0.commits += 1 }
      if !batch.news[index].events.isEmpty { noteEvents(of: batch.news[index].address, sequence: sequence) }
      publish(batch.news[index])
      complete(batch.news[index])
    }
    if !refused.isEmpty {
      putBackTimers(batch) { refused.contains($0) }
    }
    worlds[world]?.outstanding += batch.leftOver.count - 1
    for address in batch.actors {
      if !refused.isEmpty, refused.contains(address) { reload(address, first: nil) } else { letGo(address) }
    }
    for effect in batch.leftOver { deliver(.effect(effect), to: effect.id.target) }
    if worlds[world]?.outstanding == 0 { pump(world) }
  }

  /// Nothing of it is on disk: everything is as it was before. The first timer is tried alone after a while, so that one
  /// append that cannot be stored does not take others along.
  private mutating func fail(_ batch: JumpBatch, _ error: JournalError, of world: String) {
    emit(.log("\(batch.news.count) appends of world '\(world)' could not commit: \(error.message)"))
    worlds[world]?.batchLimit = 1
    putBackTimers(batch) { _ in true }
    let first = Envelope.timer(name: batch.first.name, due: batch.first.due)
    putOff(first, batch.first.actor, WireError(.unavailable, error.message))
    for address in batch.actors { reload(address, first: nil) }
  }

  private mutating func putBackTimers(_ batch: JumpBatch, where isMeant: (ActorAddress) -> Bool) {
    for (actor, name, due) in batch.timersBefore.reversed() where isMeant(actor) { setTimer(name, of: actor, to: due) }
  }

  /// The actor takes its messages again.
  private mutating func letGo(_ address: ActorAddress) {
    let mayStay = !configuration.evictsAfterEveryTurn && cells.count <= configuration.mostActors
    // Nearly always there is nothing to do.
    let isIdle = cells[address]?.letGo() == true
    if address.kind == .notifications { driveNotifications(address.world) }
    if isIdle, mayStay { return }
    run(address)
  }
}
