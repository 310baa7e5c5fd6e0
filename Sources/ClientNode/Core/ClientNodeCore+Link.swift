import Foundation
import Shared
import Wire

extension ClientNodeCore {
  // MARK: Hello

  /// A connection was made: who is there is said first, then what may have been lost with the one before.
  mutating func connected(_ link: ClientLink) {
    if link == .control { self.link.isListed = false }
    greet(link)
    // A change of the world may have gone down with the connection before.
    if link == .control, self.link.incarnation != 0 { describeWorld() }
    for (id, request) in requests.sorted(by: { $0.key.description < $1.key.description }) where request.link == link {
      timers.set(.request(id), at: jitter(0...50))
    }
  }

  /// Devices are reached over the control link alone: no simulated fault touches it.
  mutating func greet(_ link: ClientLink) {
    let devices = link == .control && !self.link.isListed ? configuration.devices : []
    let hello = Hello(
      node: configuration.node, role: .client, token: configuration.token,
      devices: devices.map {
        DeviceRegistration(world: configuration.world, device: $0.name, account: $0.account)
      })
    let id = RequestID(random.uuid())
    self.link.sent(id, on: link)
    let frames = RequestFrames(hello, to: address(.node, "server"), id: id)
    transmit(frames.frames, over: link, for: nil)
  }

  mutating func greetAgain() {
    link.hellosDue = 0
    for link in ClientLink.allCases { greet(link) }
    timers.set(.hello, at: now.advanced(byMilliseconds: link.heartbeatMilliseconds))
  }

  /// At each heartbeat, so that the server knows that this node lives, and learns the devices anew when it restarted. One
  /// link is enough for that: the other is greeted often enough not to be forgotten.
  mutating func helloDue() {
    link.hellosDue += 1
    guard link.contact == .up, link.greeted.contains(.store), link.hellosDue < ServerLink.heartbeatsPerStoreHello else {
      return greetAgain()
    }
    greet(.control)
    timers.set(.hello, at: now.advanced(byMilliseconds: link.heartbeatMilliseconds))
  }

  mutating func helloAnswered(_ outcome: ReplyFrames.Outcome, on link: ClientLink) {
    switch outcome {
    case .failed(let error) where error.code == .unauthorized:
      let message = "the server does not let client node \(configuration.node) in: \(error.message)"
      effects.append(.fail(ClientNodeError(.unauthorized, message)))
    case .failed(let error): effects.append(.log("the server did not take the hello: \(error.message)"))
    case .ok(let body):
      do {
        helloAnswered(try WireJSON.decode(Hello.Reply.self, from: body), on: link)
      } catch {
        effects.append(.log("the server's answer to the hello was ignored: \(error.message)"))
      }
    }
  }

  private mutating func helloAnswered(_ reply: Hello.Reply, on link: ClientLink) {
    // A node that asks for a hello a thousand times a second would drown itself.
    self.link.heartbeatMilliseconds = Int64(min(max(reply.heartbeatMilliseconds, 10), 60_000))
    effects.append(
      .connectEvents(endpoint: reply.eventsEndpoint(reachedThrough: configuration.requestsEndpoint)))
    let isFirst = self.link.incarnation == 0
    if isFirst { armSilence() }
    // The control link works even where the phones' own way to the store does not.
    heard(incarnation: reply.incarnation, isContact: link == .store || isFirst)
    let isNew = self.link.greeted.insert(link).inserted
    if isFirst {
      describeWorld()
      effects.append(.subscribe(topic: Heartbeat.topic))
      effects.append(.subscribe(topic: address(.world, configuration.world).topic))
      for account in accounts.keys.sorted() { subscribe(account) }
    }
    if isNew, link == .store {
      for device in devices.keys.sorted() { tellFinishes(device) }
    }
    if link == .control { listed(reply.devices) }
    if !readiness.isRegistered, self.link.isListed, self.link.greeted.count == ClientLink.allCases.count {
      readiness.isRegistered = true
      answerInherited()
    }
  }

  /// A server node that does not know the devices, because it is new or had given this node up, knows nothing of what
  /// they reported either.
  private mutating func listed(_ count: Int) {
    let wasListed = link.isListed
    link.isListed = count >= configuration.devices.count
    if link.isListed, !wasListed { reportAll() }
  }

  // MARK: Heartbeats

  private mutating func armSilence() {
    link.lastHeard = now
    timers.set(.silence, at: link.silenceEnds)
  }

  /// The server lives, and this is its present life.
  private mutating func heard(incarnation: UInt64, isContact: Bool) {
    let wasLost = link.contact == .lost && isContact
    let isRestarted = link.incarnation != 0 && link.incarnation != incarnation
    if isContact { link.contact = .up }
    link.incarnation = incarnation
    guard isRestarted || wasLost else { return }
    if isRestarted {
      effects.append(.log("server node started anew (\(incarnation)): saying hello again"))
      link.greeted = []
      link.isListed = false
      greetAgain()
    }
    for name in devices.keys.sorted() { devices[name]?.forgetCheck() }
    describeWorld()
    checkPositions()
  }

  /// Heartbeats stay away, and events with them, even if hellos are answered: that answer then begins a check of what
  /// was missed, again and again until heartbeats are back.
  mutating func silence() {
    if link.contact != .lost {
      let silence = now.milliseconds(since: link.lastHeard)
      effects.append(.log("no heartbeat of the server for \(silence) ms: treating it as unreachable"))
    }
    link.contact = .lost
    for name in devices.keys.sorted() {
      devices[name]?.forgetCheck()
      touch(name)
    }
    greetAgain()
    timers.set(
      .silence,
      at: now.advanced(byMilliseconds: link.heartbeatMilliseconds * ServerLink.missedHeartbeats))
  }

  func isHeartbeat(_ event: EventFrames) -> Bool { event.topic == Heartbeat.topic }

  mutating func takeHeartbeat(_ event: EventFrames) throws(WireError) {
    guard event.name == Heartbeat.name else { return }
    let heartbeat = try WireJSON.decode(Heartbeat.self, from: event.body)
    // Published before the hello was answered: the hello tells the rest.
    guard link.incarnation != 0 else { return }
    armSilence()
    noteHeartbeat(heartbeat)
    heard(incarnation: heartbeat.incarnation, isContact: true)
    for position in heartbeat.recent where position.account.world == configuration.world {
      guard position.account.kind == .account, accounts[position.account.key] != nil else { continue }
      accounts[position.account.key]?.heard(position.position)
      catchUpIfNeeded(position.account.key, within: 0...100)
    }
  }

  /// A heartbeat names what changed in the last three intervals: when more are missing, something may have changed
  /// that none of those told that came.
  private mutating func noteHeartbeat(_ heartbeat: Heartbeat) {
    guard let number = heartbeat.number else { return }
    let last = heartbeat.incarnation == link.incarnation ? link.lastHeartbeat : nil
    // One that is late tells nothing about the others.
    link.lastHeartbeat = max(last ?? number, number)
    guard let last, number > last + UInt64(ServerLink.missedHeartbeats) else { return }
    for name in devices.keys.sorted() { devices[name]?.forgetCheck() }
    checkPositions()
  }

  // MARK: Positions

  /// Asks in one batch which accounts moved on, after a time in which events may have been lost.
  mutating func checkPositions() {
    guard !isCheckingPositions else { return }
    var sent: [String: StreamPosition] = [:]
    for (account, sync) in accounts {
      let known = sync.devices.compactMap { devices[$0] }.filter { $0.isOnline && $0.checkedAt == nil }.map(\.received)
      if let least = known.min() { sent[account] = least }
    }
    guard !sent.isEmpty else { return }
    isCheckingPositions = true
    let positions = sent.sorted { $0.key < $1.key }.map { account, position in
      AccountPosition(account: address(.account, account), epoch: position.epoch, sequence: position.sequence)
    }
    ask(CheckPositions(positions: positions), of: address(.node, "server"), for: .checkPositions(sent))
  }

  mutating func positionsChecked(
    _ sent: [String: StreamPosition], _ result: Result<CheckPositions.Reply, WireError>
  ) {
    isCheckingPositions = false
    switch result {
    case .success(let reply):
      var isStale: Set<String> = []
      for position in reply.stale where sent[position.account.key] != nil {
        accounts[position.account.key]?.heard(position.position)
        isStale.insert(position.account.key)
      }
      for (account, position) in sent.sorted(by: { $0.key < $1.key }) {
        if !isStale.contains(account) { checked(account, at: position) }
        catchUpIfNeeded(account, within: 0...250)
      }
    case .failure(let error):
      effects.append(.log("the server did not check positions, each account catches up by itself: \(error.message)"))
      for account in sent.keys.sorted() { catchUpIfNeeded(account, within: 0...250) }
    }
  }

  // MARK: The world

  mutating func describeWorld() {
    guard !isDescribingWorld else { return }
    isDescribingWorld = true
    ask(DescribeWorld(), of: address(.world, configuration.world), for: .describeWorld)
  }

  mutating func worldDescribed(_ result: Result<WorldDescription, WireError>) {
    isDescribingWorld = false
    switch result {
    case .success(var description):
      let isFirst = world == nil
      if habitsAreNewer, let world { description.habits = world.habits }
      habitsAreNewer = false
      if world != description { storeWorld(description) }
      world = description
      spreadHabits()
      // Said once more it is the same instant, and the app's clock has moved on since.
      if case .manual = description.clock, description.now != shownTime { showTime(description.now) }
      if isFirst {
        for device in devices.keys.sorted() { launchParked(device) }
      }
      for account in accounts.keys.sorted() { hasten(account) }
      touchedAccounts.formUnion(accounts.keys)
    case .failure(let error):
      // The world may be made later; until then nothing can be verified or launched.
      effects.append(.log("world \(configuration.world) is not there yet: \(error.message)"))
      if world == nil, error.code == .unknownAddress {
        readiness.launchesWait("the apps are launched once there is a world '\(configuration.world)'")
      }
      timers.set(.describeWorld, at: jitter(500...1_000))
    }
  }

  mutating func takeWorldEvent(_ event: EventFrames) throws(WireError) {
    if event.name == HabitsChanged.name {
      take(try WireJSON.decode(HabitsChanged.self, from: event.body))
      return
    }
    if event.name == ClockMoves.name { return showTime(try WireJSON.decode(ClockMoves.self, from: event.body).to) }
    guard event.name == ClockMoved.name else { return }
    let moved = try WireJSON.decode(ClockMoved.self, from: event.body)
    guard let world, world.now < moved.now else { return }
    self.world?.now = moved.now
    if let world = self.world { storeWorld(world) }
  }
}
