import Foundation
import Shared
import Wire

/// Store time: timers in order, clock jumps, when a world has settled. And the node's own: heartbeats, retries.
extension ServerNodeCore {
  /// Plays the timers of a world that are due, once those before have had all their effects.
  ///
  /// A jump of the clock is nothing special: every timer that has become due is played at its own due time, in order.
  mutating func pump(_ world: String) {
    guard isOpen(world), worlds[world]?.outstanding == 0, let state = worlds[world]?.state, state.settings != nil
    else { return }
    // What was decided before a jump belongs before it: with its timers, which the jump plays in their turn.
    guard worlds[world]?.isJumping != true || worlds[world]?.requestCommits == 0 else { return }
    if let next = worlds[world]?.timers.next, next.due <= state.now(machine: moment.wall) {
      if next.actor.kind == .world { return erase(world) }
      guard notificationsAllow(timerAt: next.due, in: world) else { return }
      return beginBatch(world, next)
    }
    if worlds[world]?.isJumping == true {
      guard notificationsAllow(endAt: state.now(machine: moment.wall), in: world) else { return }
      endJump(world)
    }
    checkSettled(world)
  }

  /// A timer or an effect is done with, for good or ill.
  mutating func effectDone(_ world: String) {
    guard let outstanding = worlds[world]?.outstanding else { return }
    worlds[world]?.outstanding = max(0, outstanding - 1)
    pump(world)
  }

  /// Apps compare with the time of their phone, and must not see what happens on the way before they see the time.
  mutating func announceJump(_ world: ActorAddress) {
    guard let now = worlds[world.key]?.state?.manualNow else { return }
    publish(
      world, sequence: cells[world]?.sequence ?? 0, name: ClockMoves.name, body: WireJSON.encode(ClockMoves(to: now)))
  }

  private mutating func endJump(_ world: String) {
    guard let runtime = worlds[world], let now = runtime.state?.now(machine: moment.wall) else { return }
    worlds[world]?.isJumping = false
    worlds[world]?.jumpWaiters = []
    worlds[world]?.held = []
    let address = ActorAddress(world: world, kind: .world, key: world)
    publish(
      address, sequence: cells[address]?.sequence ?? 0, name: ClockMoved.name,
      body: WireJSON.encode(ClockMoved(now: now)))
    for waiter in runtime.jumpWaiters { reply(waiter.asker, .success(waiter.body)) }
    for (address, envelope) in runtime.held { deliver(envelope, to: address) }
  }

  // MARK: Settled

  /// Answers once the world has settled.
  mutating func settle(_ world: String, for asker: Asker) {
    guard worlds[world]?.settleWaiters.count ?? 0 < ActorCell.mostMessages else {
      return reply(asker, .failure(WireError(.overloaded, "too many wait until world '\(world)' has settled")))
    }
    worlds[world]?.settleWaiters.removeAll { $0 == asker }
    worlds[world]?.settleWaiters.append(asker)
    // Where an account is that did nothing since the start is not known yet.
    let accounts = directory.filter { device, seat in
      device.world == world && seat.isListening && positions[seat.account] == nil
    }
    for account in Set(accounts.values.map(\.account)).sorted() where cells[account]?.isReady != true {
      worlds[world]?.settleLoads.insert(account)
      wake(account)
    }
    checkSettled(world)
  }

  /// No timer due, every effect applied, no notification on its way, and every launched online device where its account is.
  mutating func checkSettled(_ world: String) {
    guard let runtime = worlds[world], !runtime.settleWaiters.isEmpty, runtime.outstanding == 0,
      runtime.requestCommits == 0, !runtime.isJumping, runtime.settleLoads.isEmpty, !awaitsReturningClients,
      notificationsAreQuiet(world),
      let now = runtime.state?.now(machine: moment.wall)
    else { return }
    if let next = runtime.timers.next, next.due <= now { return }
    let epoch = runtime.epoch
    guard directory.allSatisfy({ $0.key.world != world || isUpToDate($0.value, epoch) }) else { return }
    worlds[world]?.settleWaiters = []
    let unheard = directory.filter { $0.key.world == world && isSilent($0.value) && $0.value.mayListen }
    let reply = Settle.Reply(now: now, unheard: unheard.isEmpty ? nil : unheard.map(\.key.key).sorted())
    for asker in runtime.settleWaiters { self.reply(asker, .success(WireJSON.encode(reply))) }
  }

  private func isSilent(_ seat: DeviceSeat) -> Bool {
    guard let peer = peers[seat.peer] else { return true }
    return peer.lastHeard < moment.monotonic - patienceToSettle
  }

  private func isUpToDate(_ seat: DeviceSeat, _ epoch: UInt64) -> Bool {
    if isSilent(seat) { return true }
    // A client node reports right after it has named its devices.
    guard let report = seat.report else { return false }
    guard seat.isListening else { return true }
    return report.epoch == epoch && report.sequence >= positions[seat.account] ?? 0
  }

  /// After a restart the client nodes of before are on their way back, and nobody has written down who they were: for the
  /// time of some heartbeats, at each of which a client node says hello, the first is waited for, and then a heartbeat
  /// more for the others.
  var awaitsReturningClients: Bool {
    guard let recoveredAt, incarnation > 1 else { return false }
    if let first = firstClientAt { return moment.monotonic < first + configuration.heartbeatMilliseconds }
    return moment.monotonic < recoveredAt + patienceToSettle
  }

  /// Client nodes say hello at every heartbeat. For the devices of one that missed three, nobody waits: it may be dead.
  private var patienceToSettle: Int64 { configuration.heartbeatMilliseconds * 7 / 2 }

  // MARK: Waking

  mutating func askToWake() {
    guard isRecovered else { return }
    var delay = nextHeartbeat - moment.monotonic
    for retry in retries { delay = min(delay, retry.at - moment.monotonic) }
    for runtime in worlds.values where runtime.isRunning {
      if let next = runtime.timers.next { delay = min(delay, next.due.milliseconds - moment.wall.milliseconds) }
    }
    delay = max(0, delay)
    let time = moment.monotonic + delay
    // An earlier wish that still stands will do: waking too early costs a look.
    if let plannedWake, plannedWake <= time { return }
    plannedWake = time
    emit(.wake(afterMilliseconds: delay))
  }

  mutating func woke() {
    plannedWake = nil
    if moment.monotonic >= nextHeartbeat { beat() }
    let due = retries.filter { $0.at <= moment.monotonic }
    retries.removeAll { $0.at <= moment.monotonic }
    for retry in due { deliver(retry.envelope, to: retry.address) }
    for world in worlds.keys.sorted() { pump(world) }
  }

  private mutating func beat() {
    nextHeartbeat = moment.monotonic + configuration.heartbeatMilliseconds
    let horizon = moment.monotonic - 3 * configuration.heartbeatMilliseconds
    recentlyChanged = recentlyChanged.filter { $0.value >= horizon }
    let recent = recentlyChanged.keys.sorted().map { account in
      AccountPosition(
        account: account, epoch: worlds[account.world]?.epoch ?? 1, sequence: positions[account] ?? 0)
    }
    // One message stays small whatever the load; there are as many as it takes, since an account that is left out may
    // be the one whose last event was lost.
    let most = ServerNodeCore.mostPositionsPerHeartbeat
    heartbeats += 1
    for start in stride(from: 0, to: max(1, recent.count), by: most) {
      let part = Array(recent[min(start, recent.count)..<min(start + most, recent.count)])
      let heartbeat = Heartbeat(node: configuration.node, incarnation: incarnation, recent: part, number: heartbeats)
      emit(
        .publish(
          frames: EventFrames(
            topic: Heartbeat.topic, epoch: 0, sequence: incarnation, name: Heartbeat.name,
            body: WireJSON.encode(heartbeat)
          ).frames))
    }
    forgetTheSilent()
    for world in worlds.keys.sorted() where worlds[world]?.settleWaiters.isEmpty == false { checkSettled(world) }
    for world in worlds.keys.sorted() where isOpen(world) { wakeNotifications(world) }
    // A world whose authority did not open may have timers that nobody asks for.
    for (world, runtime) in worlds where runtime.authorityFailure != nil { activateWorld(world) }
  }

  static let mostPositionsPerHeartbeat = 10_000

  /// Client nodes say hello at every heartbeat; one that has been silent for long is gone, and its devices with it.
  /// A control connection that comes back after a long silence is asked for another hello.
  private mutating func forgetTheSilent() {
    let now = moment.monotonic
    for (id, peer) in peers where id != .local && peer.lastHeard < now - patience(with: peer.role) { forget(id) }
    for (id, forward) in forwards where forward.expires < now {
      forwards[id] = nil
      giveUp(forward, WireError(.deadlineExceeded, "no answer in time"))
    }
  }

  private func patience(with role: Hello.Role) -> Int64 {
    let client = 30 * configuration.heartbeatMilliseconds
    return role == .client ? client : max(client, ServerNodeCore.controlPatienceMilliseconds)
  }

  static let controlPatienceMilliseconds: Int64 = 600_000

  private mutating func forget(_ id: PeerID) {
    guard let peer = peers.removeValue(forKey: id) else { return }
    if clientNodes[peer.node] == id { clientNodes[peer.node] = nil }
    for device in peer.devices where directory[device]?.peer == id { directory[device] = nil }
    for (request, forward) in forwards where forward.peer == id {
      forwards[request] = nil
      let error = WireError(
        .unavailable, "client node '\(peer.node)', which has to answer for \(forward.address), has gone silent")
      if forward.round == nil { reply(forward.asker, .failure(error)) } else { giveUp(forward, error) }
    }
  }

  /// Connections come and go; above this many, those that were silent for longest are forgotten.
  static let mostPeers = 100_000

  mutating func makeRoomForPeers() {
    guard peers.count > ServerNodeCore.mostPeers else { return }
    let oldest = peers.filter { $0.key != .local }.sorted { $0.value.lastHeard < $1.value.lastHeard }
    for (id, _) in oldest.prefix(ServerNodeCore.mostPeers / 10) { forget(id) }
  }
}

extension WorldRuntime {
  /// Whether its timers wait for the machine's clock.
  var isRunning: Bool {
    guard let state else { return false }
    return state.manualNow == nil && rootCertificate != nil && outstanding == 0
  }
}
