import Foundation
import Shared
import Wire

/// Store time: timers in order, clock jumps, when a world has settled. And the node's own: heartbeats, retries.
extension ServerNodeCore {
  /// Plays the next timer of a world that is due, once the one before has had all its effects.
  ///
  /// A jump of the clock is nothing special: every timer that has become due is played at its own due time, in order.
  mutating func pump(_ world: String) {
    guard let runtime = worlds[world], runtime.outstanding == 0, runtime.rootCertificate != nil,
      let state = runtime.state
    else { return }
    if let next = worlds[world]?.timers.next(), next.due <= state.now(machine: moment.wall) {
      worlds[world]?.playhead = next.due
      worlds[world]?.outstanding = 1
      return deliver(.timer(name: next.name, due: next.due), to: next.actor)
    }
    worlds[world]?.playhead = nil
    if runtime.isJumping { endJump(world) }
    checkSettled(world)
  }

  /// A timer or an effect is done with, for good or ill.
  mutating func effectDone(_ world: String) {
    guard let outstanding = worlds[world]?.outstanding else { return }
    worlds[world]?.outstanding = max(0, outstanding - 1)
    pump(world)
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
    for asker in runtime.jumpWaiters {
      reply(asker, .success(WireJSON.encode(AdvanceClock.Reply(now: now))))
    }
    for (address, envelope) in runtime.held { deliver(envelope, to: address) }
  }

  // MARK: Settled

  /// No timer due, every effect applied, and every launched online device where its account is.
  mutating func checkSettled(_ world: String) {
    guard let runtime = worlds[world], !runtime.settleWaiters.isEmpty, runtime.outstanding == 0, !runtime.isJumping,
      let now = runtime.state?.now(machine: moment.wall)
    else { return }
    if let next = worlds[world]?.timers.next(), next.due <= now { return }
    guard directory.allSatisfy({ $0.key.world != world || isUpToDate($0.key, $0.value, runtime) }) else { return }
    worlds[world]?.settleWaiters = []
    for asker in runtime.settleWaiters { reply(asker, .success(WireJSON.encode(Settle.Reply(now: now)))) }
  }

  private func isUpToDate(_ device: ActorAddress, _ seat: DeviceSeat, _ runtime: WorldRuntime) -> Bool {
    guard let report = runtime.reports[device.key], report.online, report.incarnation != nil else { return true }
    return report.epoch == runtime.epoch && report.sequence >= positions[seat.account] ?? 0
  }

  // MARK: Waking

  mutating func askToWake() {
    guard isRecovered else { return }
    var delay = max(0, nextHeartbeat - moment.monotonic)
    for (world, runtime) in worlds {
      guard let state = runtime.state, state.manualNow == nil, runtime.outstanding == 0,
        let next = worlds[world]?.timers.next()
      else { continue }
      delay = min(delay, max(0, next.due.milliseconds - moment.wall.milliseconds))
    }
    emit(.wake(afterMilliseconds: delay))
  }

  mutating func woke() {
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
    let recent = recentlyChanged.keys.sorted().prefix(ServerNodeCore.mostPositionsPerHeartbeat).map { account in
      AccountPosition(
        account: account, epoch: worlds[account.world]?.epoch ?? 1, sequence: positions[account] ?? 0)
    }
    let heartbeat = Heartbeat(node: configuration.node, incarnation: incarnation, recent: Array(recent))
    emit(
      .publish(
        frames: EventFrames(
          topic: Heartbeat.topic, epoch: 0, sequence: incarnation, name: Heartbeat.name,
          body: WireJSON.encode(heartbeat)
        ).frames))
    forgetTheSilent()
  }

  /// A heartbeat stays small whatever the load; what it leaves out, the next event or catch-up tells.
  static let mostPositionsPerHeartbeat = 10_000

  /// Client nodes say hello at every heartbeat; one that has been silent for long is gone, and its devices with it.
  private mutating func forgetTheSilent() {
    let horizon = moment.monotonic - 30 * configuration.heartbeatMilliseconds
    for (id, peer) in peers where peer.role == .client && peer.lastHeard < horizon {
      if clientNodes[peer.node] == id { clientNodes[peer.node] = nil }
      for device in peer.devices where directory[device]?.peer == id { directory[device] = nil }
      peers[id] = nil
    }
    forwards = forwards.filter { $0.value.expires >= moment.monotonic }
  }
}
