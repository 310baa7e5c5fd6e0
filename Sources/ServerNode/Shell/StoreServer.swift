import Foundation
package import Shared
package import Wire

/// A server node as a process has it: the sockets, the journal and the signing around the node's core.
///
/// It decides nothing. It feeds inputs to the core and does what the core wants done.
package actor StoreServer {
  package struct Configuration: Sendable {
    package var node: String
    /// Where the journal and the certificate authorities are kept; nil keeps everything in memory.
    package var dataFolder: String?
    /// Where peers send requests, for example `tcp://127.0.0.1:*`.
    package var requestsEndpoint: String
    /// Where events are published.
    package var eventsEndpoint: String
    /// What a `hello` must carry; empty lets everybody in.
    package var token: String
    package var heartbeat: Duration
    /// Where the process speaks HTTP, without a slash at the end; nil where it does not.
    package var httpBaseURL: String?
    /// See `ServerNodeCore.Configuration`.
    package var evictsAfterEveryTurn: Bool
    package var seed: UInt64
    /// Whether requests and events are counted, for `measurements`.
    package var isMeasured = false

    package init(
      node: String = "server", dataFolder: String?, requestsEndpoint: String = "tcp://127.0.0.1:*",
      eventsEndpoint: String = "tcp://127.0.0.1:*", token: String = "", heartbeat: Duration = .seconds(1),
      httpBaseURL: String? = nil, evictsAfterEveryTurn: Bool = false, seed: UInt64 = .random(in: .min ... .max)
    ) {
      self.node = node
      self.dataFolder = dataFolder
      self.requestsEndpoint = requestsEndpoint
      self.eventsEndpoint = eventsEndpoint
      self.token = token
      self.heartbeat = heartbeat
      self.httpBaseURL = httpBaseURL
      self.evictsAfterEveryTurn = evictsAfterEveryTurn
      self.seed = seed
    }
  }

  /// Where a running node listens.
  package struct Endpoints: Hashable, Sendable {
    package var requests: String
    package var events: String
  }

  /// Frames above this make libzmq drop the peer. Large enough for a snapshot of a long history.
  package static let mostBytesPerFrame = 64 << 20

  /// Subscribers send nothing but topics, the longest of which has three names. libzmq keeps about 32 bytes for each of
  /// a topic's, so that a few large ones would use up the memory.
  static let mostBytesPerSubscription = 1_024

  /// Replies and events that may wait for one slow peer. Beyond that they are dropped: the peer asks again, or notices
  /// the gap and catches up.
  static let mostMessagesPerPeer = 100_000

  nonisolated let reactor: Reactor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let configuration: Configuration
  private let context: ZMQContext
  let journal: JournalWriter
  let signing: SigningService
  let transactions = TransactionIndex()
  nonisolated let localRequests = LocalRequests(most: LocalAsker.mostWaiting)
  /// The newest events of the worlds that somebody follows within this process.
  package nonisolated let eventLog = EventLog()
  private let meter: RequestMeter?
  private var areLocalDeadlinesWatched = false
  private let log: @Sendable (String) -> Void
  private let sender: NotificationPost.Sender?
  private var core: ServerNodeCore?
  private var requests: ZMQSocket?
  private var events: ZMQSocket?
  private var monitor: ZMQMonitor?
  private var wake: TimerToken?
  private var throttle = LogThrottle()
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - sender: delivers notifications over HTTP, which is not a server node's business; without one no try succeeds.
  ///
  /// `context` is shared when client nodes live in the same process and speak over `inproc://`.
  package init(
    _ configuration: Configuration, context: ZMQContext? = nil, sender: NotificationPost.Sender? = nil,
    log: @escaping @Sendable (String) -> Void
  ) throws(ZMQError) {
    self.configuration = configuration
    meter = configuration.isMeasured ? RequestMeter() : nil
    self.context = if let context { context } else { try ZMQContext() }
    self.log = log
    self.sender = sender
    reactor = try Reactor(name: configuration.node)
    let folder = configuration.dataFolder
    journal = JournalWriter { () throws(JournalError) in
      if let folder { try SQLiteJournal(folder: folder) } else { InMemoryJournal() }
    }
    // Verifiers know no certificate of a test's TLS, so that none is asked over it.
    let base = configuration.httpBaseURL.flatMap { $0.hasPrefix("http://") ? $0 + StoreServer.ocspPath : nil }
    signing = SigningService(folder: folder.map { $0 + "/authorities" }, ocspBase: base)
  }

  // MARK: Start and stop

  /// Opens the journal, then listens. When it returns, requests are answered; when it throws, nothing is left running.
  package func run() async throws -> Endpoints {
    do { return try await open() } catch {
      await stop()
      throw error
    }
  }

  private func open() async throws -> Endpoints {
    let recovery = try await withCheckedThrowingContinuation { continuation in
      journal.start { continuation.resume(with: $0) }
    }
    return try begin(with: recovery)
  }

  /// As `run`, without waiting: `then` gets the endpoints on one of the node's threads. Nothing on the way needs Swift's
  /// cooperative pool, so that a thread of that pool may wait for it. After a failure, `stop` is still to be called.
  package nonisolated func start(then: @escaping @Sendable (Result<Endpoints, any Error>) -> Void) {
    journal.start { recovery in
      self.reactor.post {
        self.assumeIsolated { node in then(Result { try node.begin(with: try recovery.get()) }) }
      }
    }
  }

  private func begin(with recovery: JournalRecovery) throws -> Endpoints {
    let endpoints = try listen()
    core = ServerNodeCore(
      .init(
        node: configuration.node, token: configuration.token, eventsEndpoint: endpoints.events,
        httpBaseURL: configuration.httpBaseURL,
        heartbeatMilliseconds: max(1, configuration.heartbeat.milliseconds),
        evictsAfterEveryTurn: configuration.evictsAfterEveryTurn, seed: configuration.seed))
    feed(.recovered(recovery))
    return endpoints
  }

  private func listen() throws(ZMQError) -> Endpoints {
    var options = ZMQSocketOptions(
      sendHighWaterMark: StoreServer.mostMessagesPerPeer, receiveHighWaterMark: StoreServer.mostMessagesPerPeer)
    options.maxMessageSize = StoreServer.mostBytesPerFrame
    options.routerMandatory = true
    options.backlog = 4_096
    let requests = try ZMQSocket(.router, options: options, context: context, reactor: reactor)
    options.routerMandatory = false
    options.xpubVerbose = true
    options.maxMessageSize = StoreServer.mostBytesPerSubscription
    let events = try ZMQSocket(.xpub, options: options, context: context, reactor: reactor)
    monitor = try ZMQMonitor(requests) { [weak self] event in
      self?.assumeIsolated { $0.logTrouble(event) }
    }
    let endpoints = Endpoints(
      requests: try requests.bind(configuration.requestsEndpoint),
      events: try events.bind(configuration.eventsEndpoint))
    try reactor.add(requests) { [weak self] _, message in
      self?.assumeIsolated { $0.received(message) }
    }
    try reactor.add(events) { [weak self] _, message in
      self?.assumeIsolated { $0.subscription(message) }
    }
    self.requests = requests
    self.events = events
    return endpoints
  }

  /// Answers nothing more, and returns when everything that was acknowledged is on disk and all threads have ended.
  package func stop() async {
    core = nil
    localRequests.close()
    eventLog.end()
    if let wake { reactor.cancel(wake) }
    wake = nil
    requests?.close()
    events?.close()
    let journal = journal
    await withCheckedContinuation { continuation in
      // The journal's end is waited for on a thread that may block.
      Thread.detachNewThread {
        journal.stop()
        continuation.resume()
      }
    }
    reactor.stop()
  }

  private func logTrouble(_ event: ZMQMonitorEvent) {
    guard let line = event.trouble, let admitted = throttle.admit(line, at: moment.monotonic) else { return }
    log(admitted)
  }

  // MARK: Inputs

  private func received(_ message: Result<[Data], ZMQError>) {
    switch message {
    case .success(let frames):
      guard let identity = frames.first else { return }
      feed(.received(peer: PeerID(identity), frames: Array(frames.dropFirst())))
    case .failure(let error): log("a message was not taken: \(error)")
    }
  }

  private func subscription(_ message: Result<[Data], ZMQError>) {
    guard case .success(let frames) = message, let change = ZMQSubscriptionChange(frames),
      let topic = String(validating: change.topic, as: UTF8.self)
    else { return }
    switch change {
    case .subscribe: feed(.subscribed(topic: topic))
    // Comes when the last subscriber has left, by itself or with its connection.
    case .unsubscribe: feed(.unsubscribed(topic: topic))
    }
  }

  /// The newest position of a world. From now on its events are in `eventLog`.
  package func follow(_ world: String) -> EventLog.Position {
    let position = eventLog.follow(world)
    feed(.followed(worlds: eventLog.worlds))
    return position
  }

  private func feed(_ input: ServerInput) {
    if let meter, case .received(_, let frames) = input { meter.received(frames) }
    // Nothing is taken once the node stops.
    guard let effects = core?.handle(input, at: moment) else { return }
    effects.forEach { perform($0) }
  }

  // MARK: Requests from this process

  /// Asks the node's actors without a socket.
  package nonisolated var local: LocalAsker { LocalAsker(server: self) }

  /// How late somebody who waits in vain may be told, at most.
  private static let localDeadlinePrecision = Duration.milliseconds(250)

  nonisolated func take(local frames: [Data]) {
    reactor.post {
      self.assumeIsolated {
        $0.watchLocalDeadlines()
        $0.feed(.received(peer: .local, frames: frames))
      }
    }
  }

  private func watchLocalDeadlines() {
    guard !areLocalDeadlinesWatched else { return }
    areLocalDeadlinesWatched = true
    _ = reactor.schedule(after: StoreServer.localDeadlinePrecision) { [weak self] in
      self?.assumeIsolated {
        $0.areLocalDeadlinesWatched = false
        if $0.localRequests.expire(at: .now) { $0.watchLocalDeadlines() }
      }
    }
  }

  /// Feeds an input from another thread.
  private nonisolated func post(_ input: ServerInput) {
    reactor.post { self.assumeIsolated { $0.feed(input) } }
  }

  /// What the world's clock shows; nil while it is not open.
  package func clock(of world: String) -> StoreTime? { core?.now(in: world, at: moment) }

  private var moment: Moment {
    let elapsed = ContinuousClock.now - start
    return Moment(monotonic: elapsed.milliseconds, wall: StoreTime(Date()))
  }

  // MARK: Effects

  private func perform(_ effect: ServerEffect) {
    if let meter { measure(effect, meter) }
    switch effect {
    case .load(let address): journal.activate(address) { self.post(.loaded(address, $0)) }
    case .loadWhole(let address): journal.load(address) { self.post(.loaded(address, $0)) }
    case .append(let ticket, let append):
      journal.append(append) {
        self.forget(changedBy: [append])
        self.post(.appended(ticket, $0))
      }
    case .appendTogether(let ticket, let appends):
      journal.appendTogether(appends) {
        self.forget(changedBy: appends)
        self.post(.appendedTogether(ticket, $0))
      }
    case .readRecords(let ticket, let actor, let wanted):
      journal.archived(wanted, of: actor) { self.post(.readRecords(ticket, $0)) }
    case .read(let ticket, let actor, let after, let limit):
      journal.events(of: actor, after: after, limit: limit) { self.post(.read(ticket, $0)) }
    case .readNotifications(let ticket, let actor, let query):
      journal.notifications(of: actor, matching: query) { self.post(.readNotifications(ticket, $0)) }
    case .post(let ticket, let post):
      guard let sender else { return self.post(.posted(ticket, .failed(.other))) }
      sender(post) { self.post(.posted(ticket, $0)) }
    case .erase(let world, let keeping):
      journal.erase(world: world, keeping: keeping) {
        self.transactions.forgetAll(in: world)
        self.post(.erased(world: world, $0))
      }
    case .openAuthority(let world, let environment):
      signing.open(world, environment: environment) { self.post(.authorityOpened(world: world, $0)) }
    case .sign(let ticket, let world, let jobs):
      signing.sign(jobs, world: world) { self.post(.signed(ticket, $0)) }
    case .send(.local, let frames): localRequests.answer(frames)
    case .send(let peer, let frames): send([peer.routingId] + frames, on: requests, what: "a reply")
    case .publish(let frames):
      send(frames, on: events, what: "an event")
      eventLog.append(frames)
    case .wake(let delay): scheduleWake(after: .milliseconds(delay))
    case .log(let line): log(line)
    }
  }

  private func send(_ frames: [Data], on socket: ZMQSocket?, what: String) {
    do {
      if try socket?.send(frames) == false { log("\(what) was dropped: its peer takes nothing more at the moment") }
    } catch  where error.code == .hostUnreachable {
      // The peer has gone; it will ask again if it comes back.
    } catch {
      log("\(what) was not sent: \(error)")
    }
  }

  // MARK: Measurements

  private func measure(_ effect: ServerEffect, _ meter: RequestMeter) {
    switch effect {
    case .send(_, let frames): meter.sent(frames)
    case .publish(let frames): meter.published(frames)
    default: break
    }
  }

  /// Nil while the node does not answer requests: it has not opened its journal yet, or stops.
  package var measurements: ServerMeasurements? {
    guard let core, core.isRecovered else { return nil }
    var measurements = ServerMeasurements()
    measurements.counters = core.counters
    measurements.gauges = core.gauges
    measurements.journal = journal.counters
    meter?.read(into: &measurements)
    return measurements
  }

  private func scheduleWake(after delay: Duration) {
    if let wake { reactor.cancel(wake) }
    wake = reactor.schedule(after: delay) { [weak self] in self?.assumeIsolated { $0.feed(.woke) } }
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
