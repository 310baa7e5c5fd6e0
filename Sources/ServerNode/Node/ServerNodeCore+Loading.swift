import Foundation
import Shared
import Wire

/// Actors come from the journal and go back to being nothing but their journal.
extension ServerNodeCore {
  mutating func loaded(_ address: ActorAddress, _ result: Result<StoredActor, JournalError>) {
    guard let cell = cells[address], case .loading = cell.phase else { return }
    switch result {
    case .failure(let error): failLoading(address, error.message)
    case .success(let stored):
      do {
        guard try restore(stored, at: address) else { return emit(.loadWhole(address)) }
      } catch { return failLoading(address, "\(error)") }
      // A name that somebody asked for is no actor: of those, nothing is kept.
      if stored.sequence > 0 { positions[address] = stored.sequence }
      cells[address]?.phase = .ready
      if address.kind == .world { worldChanged(address) }
      run(address)
      if address.kind == .notifications { notificationsLoaded(address.world) }
      if worlds[address.world]?.settleLoads.remove(address) != nil { checkSettled(address.world) }
      resumeBatch(address)
    }
  }

  /// - Returns: false when the snapshot is of another version, so that all events are needed.
  mutating func restore(_ stored: StoredActor, at address: ActorAddress) throws -> Bool {
    guard var cell = cells[address] else { return true }
    if let snapshot = stored.snapshot {
      do { try cell.actor.restore(snapshot: snapshot.body) } catch { return false }
      cell.snapshotSequence = snapshot.sequence
      cell.lastEventAt = StoreTime(milliseconds: snapshot.at)
    }
    for event in stored.events {
      try cell.actor.restore(event)
      cell.actor.archive()
    }
    cell.sequence = stored.sequence
    cell.noteEvents(stored.events)
    stored.answered.forEach { cell.answered.add($0) }
    cell.applied = stored.applied
    cell.sent = stored.sent
    cell.timers = cell.actor.timers
    cells[address] = cell
    return true
  }

  /// The actor cannot be read: whoever waits is told, timers and effects are tried again later.
  mutating func failLoading(_ address: ActorAddress, _ why: String) {
    emit(.log("\(address) cannot be loaded: \(why)"))
    let error = WireError(.unavailable, "\(address) cannot be loaded: \(why)")
    guard var cell = cells.removeValue(forKey: address) else { return }
    for asker in cell.waiting.values.joined() { reply(asker, .failure(error)) }
    while let envelope = cell.mailbox.popFirst() { putOff(envelope, address, error) }
    if address.kind == .world, worlds[address.world]?.state == nil {
      worlds[address.world]?.isLoading = false
      refuseWaiting(address.world, error)
    }
    resumeBatch(address)
    if worlds[address.world]?.settleLoads.remove(address) != nil {
      let waiters = worlds[address.world]?.settleWaiters ?? []
      worlds[address.world]?.settleWaiters = []
      for asker in waiters { reply(asker, .failure(error)) }
    }
  }

  mutating func putOff(_ envelope: Envelope, _ address: ActorAddress, _ error: WireError) {
    switch envelope {
    case .request(let asker, _, _, _): reply(asker, .failure(error))
    case .effect, .timer, .delivery:
      retries.append((moment.monotonic + ServerNodeCore.retryMilliseconds, address, envelope))
    case .subscriber: break
    }
  }

  static let retryMilliseconds: Int64 = 1_000

  /// Drops what is in memory and reads the actor again: the journal is the only truth. Its mailbox stays.
  mutating func reload(_ address: ActorAddress, first: Envelope?) {
    guard let old = cells[address], let blank = blankActor(at: address) else { return }
    var fresh = ActorCell(blank)
    fresh.mailbox = old.mailbox
    fresh.waiting = old.waiting
    if let first { fresh.mailbox.putBack(first) }
    cells[address] = fresh
    wake(address)
  }

  // MARK: The archive

  /// Gets what a message is about, and decides when it is there.
  mutating func read(_ wanted: ArchivedRecords, for envelope: Envelope, at address: ActorAddress) {
    let ticket = ticket()
    archiveReads[ticket] = (address, envelope)
    cells[address]?.phase = .reading(ticket)
    emit(.readRecords(ticket, actor: address, wanted))
  }

  mutating func finishReading(_ ticket: Ticket, _ result: Result<[StoredRecord], JournalError>) {
    guard let (address, envelope) = archiveReads.removeValue(forKey: ticket) else { return }
    // An actor that was dropped meanwhile asks again.
    guard let cell = cells[address], case .reading(ticket) = cell.phase else { return deliver(envelope, to: address) }
    cells[address]?.phase = .ready
    do {
      let records = try result.get().map { try $0.record() }
      cells[address]?.actor.put(archived: records)
      take(envelope, at: address, hasAll: true)
    } catch {
      let why = (error as? JournalError)?.message ?? DecodingText.of(error)
      putOff(envelope, address, WireError(.unavailable, "\(address) cannot read its transactions: \(why)"))
    }
    run(address)
  }

  // MARK: Eviction

  mutating func evictIfIdle(_ address: ActorAddress) {
    guard case .ready = cells[address]?.phase, cells[address]?.mailbox.isEmpty == true,
      cells[address]?.waiting.isEmpty == true, cells[address]?.actor.isBusy == false
    else { return }
    if cells[address]?.sequence == 0 {
      // Whoever asks for names that nobody has costs no memory.
      cells[address] = nil
      if address.kind == .world, worlds[address.world]?.isBlank == true { worlds[address.world] = nil }
    } else if address.kind == .world {
      return
    } else if configuration.evictsAfterEveryTurn {
      cells[address] = nil
    } else if cells.count > configuration.mostActors {
      evictOldest()
    }
  }

  /// Makes room for a while: a tenth of the actors, those that were not used for longest.
  mutating func evictOldest() {
    let idle = cells.filter { address, cell in
      guard address.kind != .world, case .ready = cell.phase else { return false }
      return cell.mailbox.isEmpty && cell.waiting.isEmpty && !cell.actor.isBusy
    }
    for (address, _) in idle.sorted(by: { $0.value.lastTurn < $1.value.lastTurn }).prefix(max(1, idle.count / 10)) {
      cells[address] = nil
    }
  }
}
