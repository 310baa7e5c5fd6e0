import Foundation
import Shared
import Wire

/// How actors take their turns: one message at a time, decided, then on its way to the disk.
extension ServerNodeCore {
  /// Lets the actor take messages until it has to wait.
  mutating func run(_ address: ActorAddress) {
    while case .ready = cells[address]?.phase {
      guard let envelope = cells[address]?.mailbox.popFirst() else { break }
      turn += 1
      cells[address]?.lastTurn = turn
      take(envelope, at: address)
    }
    evictIfIdle(address)
  }

  /// - Parameter hasAll: whether what the message is about was read from the archive.
  mutating func take(_ envelope: Envelope, at address: ActorAddress, hasAll: Bool = false) {
    switch envelope {
    case .subscriber(let topic):
      let sequence = cells[address]?.sequence ?? 0
      let epoch = worlds[address.world]?.epoch ?? 1
      let frames = EventFrames(
        topic: topic, epoch: epoch, sequence: sequence, name: AccountUpdate.subscribed, body: Data("{}".utf8))
      emit(.publish(frames: frames.frames))
    case .request(let asker, let name, let body, let attachments):
      // It may have come into the mailbox before the jump began.
      if mustWaitForJump(envelope, address) { return hold(envelope, address) }
      if let known = cells[address]?.answered[asker.id] { return reply(asker, .success(known)) }
      let message = ActorMessage.request(name: name, body: body, attachments: attachments)
      if !hasAll, let missing = cells[address]?.actor.missing(for: message) {
        return read(missing, for: envelope, at: address)
      }
      decide(message, envelope, address)
    case .effect(let effect): take(effect, envelope, address)
    case .delivery(let report):
      // Of before a reset, nothing counts.
      guard report.epoch == worlds[address.world]?.epoch else { return }
      decide(.delivery(report), envelope, address)
    case .timer(let name, let due):
      // Moved or cleared in the meantime: what the actor says counts, or the timer would be due for ever.
      let actual = cells[address]?.timers[name]
      guard actual == due else {
        if let actual {
          worlds[address.world]?.timers.set(address, name, due: actual)
        } else {
          worlds[address.world]?.timers.clear(address, name)
        }
        return effectDone(address.world)
      }
      count { $0.timers += 1 }
      decide(.timer(name: name), envelope, address)
    }
  }

  mutating func take(_ effect: OutboundEffect, _ envelope: Envelope, _ address: ActorAddress) {
    let applied = cells[address]?.applied[effect.id.source] ?? 0
    guard effect.id.number > applied else { return effectDone(address.world) }
    guard effect.id.number == applied + 1 else {
      // The one before could not be committed and is tried again; this one waits its turn.
      return putOff(envelope, address, WireError(.unavailable, "an earlier effect is missing"))
    }
    do {
      let decoded = try effect.timed()
      decide(.effect(decoded.effect, from: effect.id.source), envelope, address, at: decoded.at)
    } catch {
      refuse(envelope, address, error)
    }
  }

  /// `at` is the store time of an effect's cause.
  mutating func decide(
    _ message: ActorMessage, _ envelope: Envelope, _ address: ActorAddress, at: StoreTime? = nil
  ) {
    let context = context(for: envelope, at: address, time: at)
    do {
      guard let outcome = try cells[address]?.actor.receive(message, in: context) else { return }
      settle(outcome, envelope, address, now: context.now)
    } catch {
      refuse(envelope, address, error)
    }
  }

  mutating func context(for envelope: Envelope, at address: ActorAddress, time: StoreTime?) -> ActorContext {
    let cell = cells[address]?.glance()
    let world = worlds[address.world]?.glance(at: moment.wall)
    let clock = world?.now ?? moment.wall
    var now: StoreTime
    var request: RequestID?
    switch envelope {
    case .timer(_, let due): now = due
    case .effect, .subscriber, .delivery: now = time ?? clock
    case .request(let asker, _, _, _):
      now = clock
      request = asker.id
    }
    // Where a clock runs by itself, an effect may come, or a timer be played, after the actor did something later; and
    // the machine's clock may be set back. For an actor, and for whoever its effects reach, time does not go back. A
    // manual clock stands still until all that is due has been played.
    if world?.isManual != true, let last = cell?.lastEventAt { now = max(now, last) }
    let sequence = cell?.sequence ?? 0
    return ActorContext(
      address: address, now: now, world: world?.settings, epoch: world?.epoch ?? 1, sequence: sequence,
      request: request, nextDue: address.kind == .world ? world?.next?.due : nil,
      isOpenedAccount: sequence == 0 && isOpenedAccount(address),
      accounts: address.kind == .family ? openedAccounts(address.world) : nil, verifier: world?.verifier,
      identitySeed: world?.identitySeed ?? 0)
  }

  /// Whether the world has opened an account that has no events yet: its opening is on the way.
  func isOpenedAccount(_ address: ActorAddress) -> Bool {
    guard address.kind == .account, cells[address]?.sequence == 0 else { return false }
    return openedAccounts(address.world)?[address.key] != nil
  }

  /// Nil while the world's actor is not in memory.
  private func openedAccounts(_ world: String) -> [String: AccountProfile]? {
    let address = ActorAddress(world: world, kind: .world, key: world)
    return (cells[address]?.actor as? WorldActor)?.state.accounts
  }

  /// The store says no; nothing has changed.
  mutating func refuse(_ envelope: Envelope, _ address: ActorAddress, _ error: WireError) {
    switch envelope {
    case .request(let asker, _, _, _):
      reply(asker, .failure(error))
      // A decision that went wrong half-way is not to be built upon.
      if error.code == .internalError { reload(address, first: nil) }
    case .effect(let effect):
      // It can never be applied; note that it was taken, so that it does not come back for ever.
      emit(.log("\(address) refuses '\(effect.name)' from \(effect.id.source): \(error.message)"))
      settle(ActorOutcome(), envelope, address, now: moment.wall)
    case .timer(let name, _):
      emit(.log("\(address) cannot play timer '\(name)': \(error.message)"))
      cells[address]?.timers[name] = nil
      worlds[address.world]?.timers.clear(address, name)
      effectDone(address.world)
    case .delivery(let report):
      emit(.log("\(address) does not take what came of its notifications: \(error.message)"))
      finishReport(report, address.world)
    case .subscriber: break
    }
  }

  /// Turns an outcome into a commit, or answers at once when there is nothing to store.
  mutating func settle(
    _ outcome: ActorOutcome, _ envelope: Envelope, _ address: ActorAddress, now: StoreTime
  ) {
    guard let commit = cells[address]?.pendingCommit(of: outcome, envelope, address, now: now) else { return }
    guard commit.needsAppend else { return finish(commit, sequence: commit.append.expectedSequence) }
    let ticket = ticket()
    commits[ticket] = commit
    if envelope.isRequest { worlds[address.world]?.requestCommits += 1 }
    cells[address]?.phase = .committing(ticket)
    emit(.append(ticket, commit.append))
  }
}
