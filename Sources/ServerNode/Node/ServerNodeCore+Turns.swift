import Foundation
import Shared
import Wire

/// How actors take their turns: activation, mailbox, decision, commit.
extension ServerNodeCore {
  // MARK: Worlds

  /// Does what is missing before a world's actors can take messages: its own actor, its certificate authority.
  mutating func activateWorld(_ world: String) {
    let runtime = worlds[world, default: WorldRuntime()]
    guard !runtime.isLoading, !runtime.isOpening else { return }
    guard let state = runtime.state else {
      worlds[world, default: WorldRuntime()].isLoading = true
      return wake(ActorAddress(world: world, kind: .world, key: world))
    }
    guard state.settings != nil, runtime.rootCertificate == nil else { return }
    worlds[world]?.isOpening = true
    emit(.openAuthority(world: world))
  }

  /// The world's own actor is loaded, or has changed: keep what every actor of the world needs.
  private mutating func worldChanged(_ address: ActorAddress) {
    guard let actor = cells[address]?.actor as? WorldActor else { return }
    worlds[address.world, default: WorldRuntime()].state = actor.state.withoutAccounts
    worlds[address.world]?.isLoading = false
    if actor.state.settings == nil { openWorld(address.world) } else { activateWorld(address.world) }
  }

  mutating func authorityOpened(_ world: String, _ result: Result<Data, ServerNodeError>) {
    worlds[world]?.isOpening = false
    switch result {
    case .success(let root):
      worlds[world]?.rootCertificate = Array(root)
      worlds[world]?.verifier = JWSVerifier(trust: TrustStore(roots: [root]))
      worlds[world]?.authorityFailure = nil
      openWorld(world)
    case .failure(let error):
      let message = "world '\(world)' cannot be opened: \(error.message)"
      if worlds[world]?.authorityFailure != message { emit(.log(message)) }
      worlds[world]?.authorityFailure = message
      // The next message, or the next heartbeat, tries again.
      refuseWaiting(world, WireError(.unavailable, message))
    }
  }

  /// Lets in what waited for the world.
  private mutating func openWorld(_ world: String) {
    guard let early = worlds[world]?.early else { return }
    // What was put off because the world was not open need not wait any longer.
    let waiting = retries.filter { $0.address.world == world }.map { ($0.address, $0.envelope) } + early
    retries.removeAll { $0.address.world == world }
    worlds[world]?.early = []
    if worlds[world]?.state?.settings == nil { worlds[world]?.isJumping = false }
    for (address, envelope) in waiting { deliver(envelope, to: address) }
    pump(world)
  }

  /// The world cannot be served at the moment: nobody waits for it in vain.
  private mutating func refuseWaiting(_ world: String, _ error: WireError) {
    guard let runtime = worlds[world] else { return }
    worlds[world]?.early = []
    worlds[world]?.held = []
    worlds[world]?.jumpWaiters = []
    worlds[world]?.settleWaiters = []
    for (address, envelope) in runtime.early + runtime.held { putOff(envelope, address, error) }
    for waiter in runtime.jumpWaiters { reply(waiter.asker, .failure(error)) }
    for asker in runtime.settleWaiters { reply(asker, .failure(error)) }
  }

  func isOpen(_ world: String) -> Bool {
    guard let runtime = worlds[world], let state = runtime.state, !runtime.isLoading else { return false }
    return state.settings == nil || runtime.rootCertificate != nil
  }

  // MARK: Mailboxes

  /// Puts a message into an actor's mailbox; wakes the actor when it sleeps.
  mutating func deliver(_ envelope: Envelope, to address: ActorAddress) {
    guard let blank = blankActor(at: address) else { return deadLetter(envelope, address) }
    guard isOpen(address.world) || address.kind == .world else {
      guard hasRoom(worlds[address.world]?.early.count ?? 0, for: envelope, to: address) else { return }
      worlds[address.world, default: WorldRuntime()].early.append((address, envelope))
      return activateWorld(address.world)
    }
    if mustWaitForJump(envelope, address) { return hold(envelope, address) }
    guard hasRoom(cells[address]?.mailbox.count ?? 0, for: envelope, to: address) else { return }
    if cells[address] == nil { cells[address] = ActorCell(blank) }
    cells[address]?.mailbox.append(envelope)
    if case .loading = cells[address]?.phase { return wake(address) }
    run(address)
  }

  private func mustWaitForJump(_ envelope: Envelope, _ address: ActorAddress) -> Bool {
    worlds[address.world]?.isJumping == true && envelope.waitsForJump
  }

  private mutating func hold(_ envelope: Envelope, _ address: ActorAddress) {
    guard hasRoom(worlds[address.world]?.held.count ?? 0, for: envelope, to: address) else { return }
    worlds[address.world]?.held.append((address, envelope))
    // A jump cannot end in a world that is not open.
    if !isOpen(address.world) { activateWorld(address.world) }
  }

  /// Whether a queue of `count` messages takes one more. Effects and timers are never turned away: there are only as
  /// many as the store has committed.
  mutating func hasRoom(_ count: Int, for envelope: Envelope, to address: ActorAddress) -> Bool {
    switch envelope {
    case .effect, .timer: return true
    case .subscriber: return count < ActorCell.mostMessages
    case .request(let asker, _, _, _):
      if count < ActorCell.mostMessages { return true }
      reply(
        asker,
        .failure(WireError(.overloaded, "\(address) has \(ActorCell.mostMessages) messages waiting: ask again later")))
      return false
    }
  }

  /// Brings an actor into memory.
  mutating func wake(_ address: ActorAddress) {
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
    case .user where UUID(uuidString: address.key)?.uuidString.lowercased() == address.key: UserActor(address: address)
    case .world where address.key == address.world: WorldActor(address: address)
    default: nil
    }
  }

  mutating func deadLetter(_ envelope: Envelope, _ address: ActorAddress) {
    count { $0.deadLetters += 1 }
    switch envelope {
    case .request(let asker, _, _, _): reply(asker, .failure(.nobody(at: address)))
    case .effect, .timer: effectDone(address.world)
    case .subscriber: break
    }
  }

  // MARK: Loading

  mutating func loaded(_ address: ActorAddress, _ result: Result<StoredActor, JournalError>) {
    guard let cell = cells[address], case .loading = cell.phase else { return }
    switch result {
    case .failure(let error): failLoading(address, error.message)
    case .success(let stored):
      do { try restore(stored, at: address) } catch { return failLoading(address, "\(error)") }
      // A name that somebody asked for is no actor: of those, nothing is kept.
      if stored.sequence > 0 { positions[address] = stored.sequence }
      cells[address]?.phase = .ready
      if address.kind == .world { worldChanged(address) }
      run(address)
      if worlds[address.world]?.settleLoads.remove(address) != nil { checkSettled(address.world) }
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
    guard var cell = cells.removeValue(forKey: address) else { return }
    for asker in cell.waiting.values.joined() { reply(asker, .failure(error)) }
    while let envelope = cell.mailbox.popFirst() { putOff(envelope, address, error) }
    if address.kind == .world, worlds[address.world]?.state == nil {
      worlds[address.world]?.isLoading = false
      refuseWaiting(address.world, error)
    }
    if worlds[address.world]?.settleLoads.remove(address) != nil {
      let waiters = worlds[address.world]?.settleWaiters ?? []
      worlds[address.world]?.settleWaiters = []
      for asker in waiters { reply(asker, .failure(error)) }
    }
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
      // It may have come into the mailbox before the jump began.
      if mustWaitForJump(envelope, address) { return hold(envelope, address) }
      if let known = cells[address]?.answered[asker.id] { return reply(asker, .success(known)) }
      decide(.request(name: name, body: body, attachments: attachments), envelope, address)
    case .effect(let effect): take(effect, envelope, address)
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

  private mutating func take(_ effect: OutboundEffect, _ envelope: Envelope, _ address: ActorAddress) {
    let applied = cells[address]?.applied[effect.id.source] ?? 0
    guard effect.id.number > applied else { return effectDone(address.world) }
    guard effect.id.number == applied + 1 else {
      // The one before could not be committed and is tried again; this one waits its turn.
      return putOff(envelope, address, WireError(.unavailable, "an earlier effect is missing"))
    }
    do {
      let decoded = try WireJSON.decode(TimedEffect.self, from: effect.body)
      decide(.effect(decoded.effect, from: effect.id.source), envelope, address, at: decoded.at)
    } catch {
      refuse(envelope, address, error)
    }
  }

  /// `at` is the store time of an effect's cause.
  private mutating func decide(
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

  private func context(for envelope: Envelope, at address: ActorAddress, time: StoreTime?) -> ActorContext {
    let runtime = worlds[address.world]
    let clock = runtime?.state?.now(machine: moment.wall) ?? moment.wall
    let now: StoreTime
    var request: RequestID?
    switch envelope {
    case .timer(_, let due): now = due
    case .effect, .subscriber: now = time ?? clock
    case .request(let asker, _, _, _):
      now = clock
      request = asker.id
    }
    return ActorContext(
      address: address, now: now, world: runtime?.state?.settings(of: address.world), epoch: runtime?.epoch ?? 1,
      sequence: cells[address]?.sequence ?? 0, request: request,
      nextDue: address.kind == .world ? runtime?.timers.next?.due : nil,
      isOpenedAccount: isOpenedAccount(address),
      verifier: runtime?.verifier)
  }

  /// Whether the world has opened an account that has no events yet: its opening is on the way.
  private func isOpenedAccount(_ address: ActorAddress) -> Bool {
    guard address.kind == .account, cells[address]?.sequence == 0,
      let world = cells[ActorAddress(world: address.world, kind: .world, key: address.world)]?.actor as? WorldActor
    else { return false }
    return world.state.accounts[address.key] != nil
  }

  /// The store says no; nothing has changed.
  private mutating func refuse(_ envelope: Envelope, _ address: ActorAddress, _ error: WireError) {
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
    case .subscriber: break
    }
  }

  /// Turns an outcome into a commit, or answers at once when there is nothing to store.
  private mutating func settle(
    _ outcome: ActorOutcome, _ envelope: Envelope, _ address: ActorAddress, now: StoreTime
  ) {
    var append = JournalAppend(
      actor: address, expectedSequence: cells[address]?.sequence ?? 0, events: outcome.events.map(\.stored))
    append.effects = outbound(outcome.effects, from: address, at: now)
    let timers = cells[address]?.actor.timers ?? [:]
    append.timers = changes(from: cells[address]?.timers ?? [:], to: timers)
    if case .timer(let name, _) = envelope, timers[name] != nil, append.timers.isEmpty, outcome.events.isEmpty {
      // A timer that its actor neither moved nor cleared would be due for ever.
      append.timers = [.clear(name: name)]
    }
    if case .effect(let effect) = envelope { append.applies = effect.id }
    if case .request(let asker, _, _, _) = envelope, !outcome.events.isEmpty {
      switch outcome.reply {
      case .body(let body), .afterJump(let body): append.answered = AnsweredRequest(id: asker.id, reply: body)
      default: break
      }
    }
    let commit = PendingCommit(
      address: address, envelope: envelope, append: append, publications: outcome.events.map(\.publication),
      reply: outcome.reply, waitsFor: outcome.waitsFor, completed: outcome.completed, timers: timers)
    guard !append.events.isEmpty || !append.effects.isEmpty || !append.timers.isEmpty || append.applies != nil else {
      return finish(commit, sequence: append.expectedSequence)
    }
    let ticket = ticket()
    commits[ticket] = commit
    cells[address]?.phase = .committing(ticket)
    emit(.append(ticket, append))
  }

  private func outbound(
    _ effects: [(target: ActorAddress, effect: StoreEffect)], from source: ActorAddress, at now: StoreTime
  ) -> [OutboundEffect] {
    var sent = cells[source]?.sent ?? [:]
    return effects.map { target, effect in
      sent[target, default: 0] += 1
      return OutboundEffect(
        id: EffectID(source: source, target: target, number: sent[target] ?? 1), name: effect.name,
        body: WireJSON.encode(TimedEffect(at: now, effect: effect)))
    }
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
      complete(commit)
      reload(address, first: nil)
      effectDone(address.world)
    case .success(.conflict):
      count { $0.conflicts += 1 }
      reload(address, first: commit.envelope)
    case .failure(let error):
      emit(.log("\(address) could not commit: \(error.message)"))
      putOff(commit.envelope, address, WireError(.unavailable, error.message))
      reload(address, first: nil)
    }
  }

  /// The events are on disk: now everybody may hear of them.
  private mutating func finish(_ commit: PendingCommit, sequence: UInt64) {
    let address = commit.address
    apply(commit, sequence: sequence)
    publish(commit, at: address)
    worlds[address.world]?.outstanding += commit.append.effects.count
    for effect in commit.append.effects { deliver(.effect(effect), to: effect.id.target) }
    complete(commit)
    switch commit.envelope {
    case .timer, .effect: effectDone(address.world)
    case .subscriber: break
    case .request(let asker, _, _, _):
      if let key = commit.waitsFor {
        cells[address]?.waiting[key, default: []].removeAll { $0 == asker }
        cells[address]?.waiting[key, default: []].append(asker)
      }
      answer(asker, commit.reply, at: address)
      // A new timer may be due already, and a world without effects under way may have settled.
      if !commit.append.timers.isEmpty || !commit.append.effects.isEmpty { pump(address.world) }
    }
  }

  /// Answers the requests that waited for what is now known.
  private mutating func complete(_ commit: PendingCommit) {
    for (key, result) in commit.completed {
      for asker in cells[commit.address]?.waiting.removeValue(forKey: key) ?? [] { reply(asker, result) }
    }
  }

  private mutating func apply(_ commit: PendingCommit, sequence: UInt64) {
    let address = commit.address
    cells[address]?.sequence = sequence
    cells[address]?.timers = commit.timers
    if let answered = commit.append.answered { cells[address]?.answered.add(answered) }
    if let id = commit.append.applies { cells[address]?.applied[id.source] = id.number }
    for effect in commit.append.effects { cells[address]?.sent[effect.id.target] = effect.id.number }
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
    guard let cell = cells[address], case .ready = cell.phase, cell.mailbox.isEmpty, cell.waiting.isEmpty else {
      return
    }
    if cell.sequence == 0 {
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

extension WireError {
  static func nobody(at address: ActorAddress) -> WireError {
    guard address.kind == .user else { return WireError(.unknownAddress, "nobody has the address \(address)") }
    return WireError(
      .unknownAddress, "'\(address.key)' is no user: a user's key is an appAccountToken, a UUID in lower case")
  }
}
