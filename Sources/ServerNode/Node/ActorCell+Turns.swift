import Foundation
import Shared
import Wire

/// A turn as far as it concerns nothing but the actor. All of it is one visit to the cell, since finding a cell by its
/// address costs about as much as anything that is done there.
extension ActorCell {
  /// What is to be committed of an outcome.
  mutating func pendingCommit(
    of outcome: consuming ActorOutcome, _ envelope: Envelope, _ address: ActorAddress, now: StoreTime
  ) -> PendingCommit {
    var append = JournalAppend(actor: address, expectedSequence: sequence)
    append.effects = outbound(outcome.effects, from: address, at: now)
    append.records = outcome.records
    append.notifications = outcome.notifications
    append.forgetsRecords = outcome.forgetsRecords
    var publications: [ActorOutcome.Publication?] = []
    append.events.reserveCapacity(outcome.events.count)
    publications.reserveCapacity(outcome.events.count)
    for event in outcome.events {
      append.events.append(event.stored)
      publications.append(event.publication)
    }
    if !append.events.isEmpty { append.snapshot = snapshot(at: sequence + UInt64(append.events.count)) }
    let wanted = actor.timers
    append.timers = changes(to: wanted)
    if case .timer(let name, _) = envelope, wanted[name] != nil, append.timers.isEmpty, append.events.isEmpty {
      // A timer that its actor neither moved nor cleared would be due for ever.
      append.timers = [.clear(name: name)]
    }
    if case .effect(let effect) = envelope { append.applies = effect.id }
    if case .request(let asker, _, _, _) = envelope, !append.events.isEmpty {
      switch outcome.reply {
      case .body(let body), .afterJump(let body): append.answered = AnsweredRequest(id: asker.id, reply: body)
      default: break
      }
    }
    return PendingCommit(
      address: address, envelope: envelope, append: append, publications: publications, reply: outcome.reply,
      waitsFor: outcome.waitsFor, completed: outcome.completed, timers: wanted)
  }

  private func outbound(
    _ effects: [(target: ActorAddress, effect: StoreEffect)], from source: ActorAddress, at now: StoreTime
  ) -> [OutboundEffect] {
    if effects.isEmpty { return [] }
    var numbers: [ActorAddress: UInt64] = [:]
    return effects.map { target, effect in
      let number = (effects.count == 1 ? nil : numbers[target]) ?? sent[target] ?? 0
      if effects.count > 1 { numbers[target] = number + 1 }
      let id = EffectID(source: source, target: target, number: number + 1)
      return OutboundEffect(id: id, TimedEffect(at: now, effect: effect))
    }
  }

  /// Timers that are gone, then those that were set or moved, each in the order of their names.
  private func changes(to wanted: [String: StoreTime]) -> [TimerChange] {
    if timers == wanted { return [] }
    var changes: [TimerChange] = []
    for name in timers.keys where wanted[name] == nil { changes.append(.clear(name: name)) }
    let goneCount = changes.count
    for (name, due) in wanted where timers[name] != due {
      changes.append(.set(name: name, due: due.milliseconds))
    }
    if goneCount > 1 { changes[..<goneCount].sort { $0.name < $1.name } }
    if changes.count - goneCount > 1 { changes[goneCount...].sort { $0.name < $1.name } }
    return changes
  }

  // MARK: In a batch

  /// What all turns of a batch have in common.
  struct BatchSetting {
    let ticket: Ticket
    let world: WorldRuntime.Glance
  }

  /// What a batch needs to know of an actor that is next.
  enum BatchTurn {
    /// It was played, or refused for good, and what it leaves is as if it were on disk for the turns that follow.
    case played(PendingCommit, isFirst: Bool, refusal: WireError?)
    /// The timer is not set any more, or for another time.
    case moved(to: StoreTime?)
    /// The timer cannot be played and is gone.
    case unplayable(WireError)
    /// An earlier effect still waits for its turn on the usual way.
    case outOfOrder
    case mustLoad
    /// Something else is on its way: its turn comes the usual way.
    case busy
  }

  /// - Parameter number: of the node's turn.
  mutating func play(_ timer: TimerHeap.Entry, in setting: BatchSetting, turn number: UInt64) -> BatchTurn {
    if let unready = unready(for: setting.ticket) { return unready }
    let actual = timers[timer.name]
    guard actual == timer.due else { return .moved(to: actual) }
    let context = context(at: timer.actor, timer.due, setting)
    do throws(WireError) {
      let outcome = try actor.receive(.timer(name: timer.name), in: context)
      return note(outcome, .timer(name: timer.name, due: timer.due), context, setting.ticket, number)
    } catch {
      timers[timer.name] = nil
      return .unplayable(error)
    }
  }

  /// - Parameter isOpenedAccount: as in `ActorContext`.
  mutating func play(
    _ effect: OutboundEffect, isOpenedAccount: Bool, in setting: BatchSetting, turn number: UInt64
  ) -> BatchTurn {
    if let unready = unready(for: setting.ticket) { return unready }
    let source = effect.id.source
    guard effect.id.number == (applied[source] ?? 0) + 1, let timed = try? effect.timed() else { return .outOfOrder }
    var context = context(at: effect.id.target, timed.at, setting)
    context.isOpenedAccount = isOpenedAccount
    do throws(WireError) {
      let outcome = try actor.receive(.effect(timed.effect, from: source), in: context)
      return note(outcome, .effect(effect), context, setting.ticket, number)
    } catch {
      // It can never be applied; note that it was taken, so that it does not come back for ever.
      return note(ActorOutcome(), .effect(effect), context, setting.ticket, number, refusal: error)
    }
  }

  private func unready(for batch: Ticket) -> BatchTurn? {
    switch phase {
    case .ready, .committing(batch): nil
    case .loading: .mustLoad
    case .committing, .reading: .busy
    }
  }

  private func context(at address: ActorAddress, _ time: StoreTime, _ setting: BatchSetting) -> ActorContext {
    // See `ServerNodeCore.context`: where a clock runs by itself, time does not go back for an actor.
    ActorContext(
      address: address, now: setting.world.isManual ? time : max(time, lastEventAt), world: setting.world.settings,
      epoch: setting.world.epoch, sequence: sequence, verifier: setting.world.verifier)
  }

  private mutating func note(
    _ outcome: consuming ActorOutcome, _ envelope: Envelope, _ context: ActorContext, _ batch: Ticket,
    _ number: UInt64, refusal: WireError? = nil
  ) -> BatchTurn {
    let commit = pendingCommit(of: outcome, envelope, context.address, now: context.now)
    guard commit.needsAppend else { return .played(commit, isFirst: false, refusal: refusal) }
    remember(commit, sequence: sequence + UInt64(commit.append.events.count))
    if case .committing = phase { return .played(commit, isFirst: false, refusal: refusal) }
    phase = .committing(batch)
    lastTurn = number
    return .played(commit, isFirst: true, refusal: refusal)
  }

  /// The batch is on disk.
  /// - Returns: whether nothing waits for the actor.
  mutating func letGo() -> Bool {
    phase = .ready
    return mailbox.isEmpty && sequence > 0
  }
}
