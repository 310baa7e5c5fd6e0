import Foundation
import Shared
import Wire

/// How actors take their turns: activation, mailbox, decision, commit.
extension ServerNodeCore {
  // MARK: Worlds

  mutating func activateWorld(_ world: String) {
    guard worlds[world]?.state == nil, worlds[world]?.isLoading != true else { return }
    worlds[world, default: WorldRuntime()].isLoading = true
    wake(ActorAddress(world: world, kind: .world, key: world))
  }

  /// The world's own actor is loaded, or has changed: keep what every actor of the world needs.
  private mutating func worldChanged(_ address: ActorAddress) {
    guard let actor = cells[address]?.actor as? WorldActor else { return }
    worlds[address.world, default: WorldRuntime()].state = actor.state
    guard actor.state.settings != nil, worlds[address.world]?.rootCertificate == nil else { return }
    emit(.openAuthority(world: address.world))
  }

  mutating func authorityOpened(_ world: String, _ result: Result<Data, ServerNodeError>) {
    switch result {
    case .success(let root):
      worlds[world]?.rootCertificate = Array(root)
      worlds[world]?.verifier = JWSVerifier(trust: TrustStore(roots: [root]))
    case .failure(let error): emit(.log("world '\(world)' has no certificate authority: \(error)"))
    }
    openWorld(world)
  }

  /// Lets in what waited for the world.
  private mutating func openWorld(_ world: String) {
    let waiting = worlds[world]?.early ?? []
    worlds[world]?.early = []
    worlds[world]?.isLoading = false
    resumeJump(world)
    for (address, envelope) in waiting { deliver(envelope, to: address) }
    pump(world)
  }

  /// A node that stopped in the middle of a clock jump plays the rest of it before anything else happens.
  private mutating func resumeJump(_ world: String) {
    guard let runtime = worlds[world], runtime.rootCertificate != nil, let now = runtime.state?.manualNow,
      let next = worlds[world]?.timers.next(), next.due <= now
    else { return }
    worlds[world]?.isJumping = true
  }

  private func isOpen(_ world: String) -> Bool {
    guard let runtime = worlds[world], runtime.state != nil, !runtime.isLoading else { return false }
    return runtime.state?.settings == nil || runtime.rootCertificate != nil
  }

  // MARK: Mailboxes

  /// Puts a message into an actor's mailbox; wakes the actor when it sleeps.
  mutating func deliver(_ envelope: Envelope, to address: ActorAddress) {
    guard let blank = blankActor(at: address) else { return deadLetter(envelope, address) }
    guard isOpen(address.world) || address.kind == .world else {
      worlds[address.world, default: WorldRuntime()].early.append((address, envelope))
      return activateWorld(address.world)
    }
    if worlds[address.world]?.isJumping == true, envelope.waitsForJump {
      worlds[address.world]?.held.append((address, envelope))
      return
    }
    if cells[address] == nil { cells[address] = ActorCell(blank) }
    guard cells[address]?.mailbox.count ?? 0 < ActorCell.mostMessages || !envelope.isRequest else {
      if case .request(let asker, _, _, _) = envelope {
        reply(
          asker,
          .failure(WireError(.overloaded, "\(address) has \(ActorCell.mostMessages) messages waiting: ask again later")))
      }
      return
    }
    cells[address]?.mailbox.append(envelope)
    if case .loading = cells[address]?.phase { return wake(address) }
    run(address)
  }

  private mutating func wake(_ address: ActorAddress) {
    if cells[address] == nil {
      guard let blank = blankActor(at: address) else { return }
      cells[address] = ActorCell(blank)
    }
    // Asked for once; the cell stays in `loading` until the answer.
    guard cells[address]?.lastTurn == 0 else { return }
    turn += 1
    cells[address]?.lastTurn = turn
    emit(.load(address))
  }

  private func blankActor(at address: ActorAddress) -> (any StoreActor)? {
    switch address.kind {
    case .account: AccountActor(address: address)
    case .family: FamilyActor(address: address)
    case .user: UserActor(address: address)
    case .world where address.key == address.world: WorldActor(address: address)
    default: nil
    }
  }

  mutating func deadLetter(_ envelope: Envelope, _ address: ActorAddress) {
    count { $0.deadLetters += 1 }
    if case .request(let asker, _, _, _) = envelope {
      reply(asker, .failure(WireError(.unknownAddress, "nobody has the address \(address)")))
    }
  }

  // MARK: Loading

  mutating func loaded(_ address: ActorAddress, _ result: Result<StoredActor, JournalError>) {
    guard cells[address] != nil else { return }
    switch result {
    case .failure(let error): failLoading(address, error.message)
    case .success(let stored):
      do { try restore(stored, at: address) } catch { return failLoading(address, "\(error)") }
      positions[address] = stored.sequence
      cells[address]?.phase = .ready
      if address.kind == .world {
        worldChanged(address)
        if worlds[address.world]?.state?.settings == nil { openWorld(address.world) }
      }
      run(address)
    }
  }

  private mutating func restore(_ stored: StoredActor, at address: ActorAddress) throws {
    guard var cell = cells[address] else { return }
    for event in stored.events { try cell.actor.restore(event) }
    cell.sequence = stored.sequence
    stored.answered.forEach { cell.answered.add($0) }
    cell.applied = stored.applied
    cell.sent = stored.sent
    cell.timers = cell.actor.timers
    cells[address] = cell
  }

  /// The actor cannot be read: whoever waits is told, timers and effects are tried again later.
  private mutating func failLoading(_ address: ActorAddress, _ why: String) {
    emit(.log("\(address) cannot be loaded: \(why)"))
    let error = WireError(.unavailable, "\(address) cannot be loaded: \(why)")
    guard var mailbox = cells.removeValue(forKey: address)?.mailbox else { return }
    if address.kind == .world {
      let early = worlds[address.world]?.early ?? []
      worlds[address.world]?.early = []
      worlds[address.world]?.isLoading = false
      for (target, envelope) in early { putOff(envelope, target, error) }
    }
    while let envelope = mailbox.popFirst() { putOff(envelope, address, error) }
  }

  private mutating func putOff(_ envelope: Envelope, _ address: ActorAddress, _ error: WireError) {
    switch envelope {
    case .request(let asker, _, _, _): reply(asker, .failure(error))
    case .effect, .timer: retries.append((moment.monotonic + ServerNodeCore.retryMilliseconds, address, envelope))
    case .subscriber: break
    }
  }

  static let retryMilliseconds: Int64 = 1_000

  /// Drops what is in memory and reads the actor again: the journal is the only truth. Its mailbox stays.
  private mutating func reload(_ address: ActorAddress, first: Envelope?) {
    guard let old = cells[address], let blank = blankActor(at: address) else { return }
    var fresh = ActorCell(blank)
    fresh.mailbox = old.mailbox
    fresh.waiting = old.waiting
    if let first { fresh.mailbox.putBack(first) }
    cells[address] = fresh
    wake(address)
  }

  // MARK: Turns

  /// Lets the actor take messages until it has to wait.
  private mutating func run(_ address: ActorAddress) {
    while let cell = cells[address], case .ready = cell.phase {
      guard let envelope = cells[address]?.mailbox.popFirst() else { break }
      turn += 1
      cells[address]?.lastTurn = turn
      take(envelope, at: address)
    }
    evictIfIdle(address)
  }

  private mutating func take(_ envelope: Envelope, at address: ActorAddress) {
    switch envelope {
    case .subscriber(let topic):
      let sequence = cells[address]?.sequence ?? 0
      let epoch = worlds[address.world]?.epoch ?? 1
      let frames = EventFrames(
        topic: topic, epoch: epoch, sequence: sequence, name: AccountUpdate.subscribed, body: Data("{}".utf8))
      emit(.publish(frames: frames.frames))
    case .request(let asker, let name, let body, let attachments):
      if let known = cells[address]?.answered[asker.id] { return reply(asker, .success(known)) }
      decide(.request(name: name, body: body, attachments: attachments), envelope, address)
    case .effect(let effect):
      guard cells[address]?.applied[effect.id.source] ?? 0 < effect.id.number else { return effectDone(address.world) }
      do {
        let decoded = try WireJSON.decode(StoreEffect.self, from: effect.body)
        decide(.effect(decoded, from: effect.id.source), envelope, address)
      } catch {
        emit(.log("effect \(effect.name) from \(effect.id.source) to \(address) cannot be read: \(error)"))
        effectDone(address.world)
      }
    case .timer(let name, let due):
      // Moved or cleared in the meantime.
      guard cells[address]?.timers[name] == due else { return effectDone(address.world) }
      count { $0.timers += 1 }
      decide(.timer(name: name), envelope, address)
    }
  }

  private mutating func decide(_ message: ActorMessage, _ envelope: Envelope, _ address: ActorAddress) {
    let context = context(for: envelope, at: address)
    do {
      guard let outcome = try cells[address]?.actor.receive(message, in: context) else { return }
      settle(outcome, envelope, address)
    } catch {
      refuse(envelope, address, error)
    }
  }

  private mutating func context(for envelope: Envelope, at address: ActorAddress) -> ActorContext {
    let runtime = worlds[address.world]
    let clock = runtime?.state?.now(machine: moment.wall) ?? moment.wall
    let now: StoreTime
    var request: RequestID?
    switch envelope {
    case .timer(_, let due): now = due
    case .effect: now = runtime?.playhead ?? clock
    case .request(let asker, _, _, _):
      now = clock
      request = asker.id
    case .subscriber: now = clock
    }
    return ActorContext(
      address: address, now: now, world: runtime?.state?.settings(of: address.world), epoch: runtime?.epoch ?? 1,
      sequence: cells[address]?.sequence ?? 0, request: request,
      nextDue: address.kind == .world ? worlds[address.world]?.timers.next()?.due : nil, verifier: runtime?.verifier)
  }

  /// The store says no; nothing has changed.
  private mutating func refuse(_ envelope: Envelope, _ address: ActorAddress, _ error: WireError) {
    switch envelope {
    case .request(let asker, _, _, _): reply(asker, .failure(error))
    case .effect(let effect):
      // It can never be applied; note that it was taken, so that it does not come back for ever.
      emit(.log("\(address) refuses '\(effect.name)' from \(effect.id.source): \(error.message)"))
      settle(ActorOutcome(), envelope, address)
    case .timer(let name, _):
      emit(.log("\(address) cannot play timer '\(name)': \(error.message)"))
      cells[address]?.timers[name] = nil
      worlds[address.world]?.timers.clear(address, name)
      effectDone(address.world)
    case .subscriber: break
    }
  }

  /// Turns an outcome into a commit, or answers at once when there is nothing to store.
  private mutating func settle(_ outcome: ActorOutcome, _ envelope: Envelope, _ address: ActorAddress) {
    var append = JournalAppend(
      actor: address, expectedSequence: cells[address]?.sequence ?? 0, events: outcome.events.map(\.stored))
    append.effects = outcome.effects.map { target, effect in
      let number = (cells[address]?.sent[target] ?? 0) + 1
      cells[address]?.sent[target] = number
      return OutboundEffect(
        id: EffectID(source: address, target: target, number: number), name: effect.name,
        body: WireJSON.encode(effect))
    }
    let timers = cells[address]?.actor.timers ?? [:]
    append.timers = changes(from: cells[address]?.timers ?? [:], to: timers)
    if case .timer(let name, _) = envelope, timers[name] != nil, append.timers.isEmpty, outcome.events.isEmpty {
      // A timer that its actor neither moved nor cleared would be due for ever.
      append.timers = [.clear(name: name)]
    }
    if case .effect(let effect) = envelope { append.applies = effect.id }
    var reply = outcome.reply
    if case .request(let asker, _, _, _) = envelope {
      switch reply {
      case .body(let body) where !outcome.events.isEmpty: append.answered = AnsweredRequest(id: asker.id, reply: body)
      case .node(.clockMoved(let time)) where !outcome.events.isEmpty:
        // The answer comes after the jump, but a retry must find that the clock was moved: it would move it again.
        append.answered = AnsweredRequest(id: asker.id, reply: WireJSON.encode(AdvanceClock.Reply(now: time)))
      case .later:
        if let key = outcome.waitsFor { cells[address]?.waiting[key, default: []].append(asker) }
        reply = .none
      default: break
      }
    }
    let completed = outcome.completed.flatMap { key, result in
      (cells[address]?.waiting.removeValue(forKey: key) ?? []).map { (asker: $0, result: result) }
    }
    let commit = PendingCommit(
      address: address, envelope: envelope, append: append, publications: outcome.events.map(\.publication),
      reply: reply, completed: completed, timers: timers)
    guard !append.events.isEmpty || !append.effects.isEmpty || !append.timers.isEmpty || append.applies != nil else {
      return finish(commit, sequence: append.expectedSequence)
    }
    let ticket = ticket()
    commits[ticket] = commit
    cells[address]?.phase = .committing(ticket)
    emit(.append(ticket, append))
  }

  private func changes(from old: [String: StoreTime], to new: [String: StoreTime]) -> [TimerChange] {
    let gone = old.keys.filter { new[$0] == nil }.sorted().map { TimerChange.clear(name: $0) }
    let moved = new.filter { old[$0.key] != $0.value }.sorted { $0.key < $1.key }
    return gone + moved.map { .set(name: $0.key, due: $0.value.milliseconds) }
  }

  // MARK: Commits

  mutating func appended(_ ticket: Ticket, _ result: Result<JournalAppendResult, JournalError>) {
    guard let commit = commits.removeValue(forKey: ticket) else { return }
    let address = commit.address
    switch result {
    case .success(.committed(let sequence)):
      count { $0.commits += 1 }
      cells[address]?.phase = .ready
      finish(commit, sequence: sequence)
      run(address)
    case .success(.alreadyAnswered(let body)):
      // A retry that overtook: the stored reply counts, and what was decided here never happened.
      if case .request(let asker, _, _, _) = commit.envelope { reply(asker, .success(body)) }
      reload(address, first: nil)
    case .success(.alreadyApplied):
      reload(address, first: nil)
      effectDone(address.world)
    case .success(.conflict):
      count { $0.conflicts += 1 }
      reload(address, first: commit.envelope)
    case .failure(let error):
      emit(.log("\(address) could not commit: \(error.message)"))
      putOff(commit.envelope, address, WireError(.unavailable, error.message))
      for (asker, _) in commit.completed { reply(asker, .failure(WireError(.unavailable, error.message))) }
      reload(address, first: nil)
    }
  }

  /// The events are on disk: now everybody may hear of them.
  private mutating func finish(_ commit: PendingCommit, sequence: UInt64) {
    let address = commit.address
    apply(commit, sequence: sequence)
    publish(commit, at: address)
    for effect in commit.append.effects {
      worlds[address.world]?.outstanding += 1
      deliver(.effect(effect), to: effect.id.target)
    }
    for (asker, result) in commit.completed { reply(asker, result) }
    if case .request(let asker, _, _, _) = commit.envelope { answer(asker, commit.reply, at: address) }
    switch commit.envelope {
    case .timer, .effect: effectDone(address.world)
    case .request, .subscriber: if !commit.append.effects.isEmpty { checkSettled(address.world) }
    }
  }

  private mutating func apply(_ commit: PendingCommit, sequence: UInt64) {
    let address = commit.address
    cells[address]?.sequence = sequence
    cells[address]?.timers = commit.timers
    if let answered = commit.append.answered { cells[address]?.answered.add(answered) }
    if let id = commit.append.applies { cells[address]?.applied[id.source] = id.number }
    for change in commit.append.timers {
      switch change {
      case .set(let name, let due):
        worlds[address.world]?.timers.set(address, name, due: StoreTime(milliseconds: due))
      case .clear(let name): worlds[address.world]?.timers.clear(address, name)
      }
    }
    guard !commit.append.events.isEmpty else { return }
    positions[address] = sequence
    if address.kind == .account { recentlyChanged[address] = moment.monotonic }
    if address.kind == .world { worldChanged(address) }
    // A new timer may be due already.
    if !commit.append.timers.isEmpty, worlds[address.world]?.outstanding == 0 { pump(address.world) }
  }

  private mutating func publish(_ commit: PendingCommit, at address: ActorAddress) {
    for (index, publication) in commit.publications.enumerated() {
      let sequence = commit.append.expectedSequence + UInt64(index) + 1
      let at = StoreTime(milliseconds: commit.append.events[index].at)
      switch publication {
      case .account(let event):
        let update = event.update(sequence: sequence, at: at)
        publish(address, sequence: sequence, name: update.name, body: WireJSON.encode(update))
      case .body(let name, let body): publish(address, sequence: sequence, name: name, body: body)
      case nil: break
      }
    }
  }

  private mutating func evictIfIdle(_ address: ActorAddress) {
    guard address.kind != .world, let cell = cells[address], case .ready = cell.phase, cell.mailbox.isEmpty,
      cell.waiting.isEmpty
    else { return }
    if configuration.evictsAfterEveryTurn {
      cells[address] = nil
    } else if cells.count > configuration.mostActors {
      evictOldest()
    }
  }

  /// Makes room for a while: a tenth of the actors, those that were not used for longest.
  private mutating func evictOldest() {
    let idle = cells.filter { address, cell in
      guard address.kind != .world, case .ready = cell.phase else { return false }
      return cell.mailbox.isEmpty && cell.waiting.isEmpty
    }
    for (address, _) in idle.sorted(by: { $0.value.lastTurn < $1.value.lastTurn }).prefix(max(1, idle.count / 10)) {
      cells[address] = nil
    }
  }
}

extension Envelope {
  var isRequest: Bool {
    if case .request = self { return true }
    return false
  }

  /// Whether it must not fall into the middle of a clock jump: everything that may change something.
  var waitsForJump: Bool {
    guard case .request(_, let name, _, _) = self else { return false }
    return !Envelope.reading.contains(name)
  }

  private static let reading: Set<String> = [
    CatchUp.name, GetSignedCopies.name, ReadJournal.name, GetEntitlements.name, DescribeFamily.name,
    DescribeWorld.name, ListDevices.name, GetIntroEligibility.name, GetProducts.name, Settle.name,
  ]
}
