import Foundation
import Shared
package import Wire

/// A process's phones: the shell around `ClientNodeCore`. It moves bytes, keeps time and calls the apps.
///
/// It lives on a reactor of its own, so that sockets, timers and the core are one thread's matter.
package actor ClientNode {
  private nonisolated let reactor: Reactor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let configuration: ClientNodeConfiguration
  private let host: any AppHost
  private let context: ZMQContext
  private let persistence: any DeviceStorePersistence
  private let log: @Sendable (String) -> Void
  private let onReady: @Sendable (_ failedLaunches: [String]) -> Void

  private var core: ClientNodeCore
  private var sockets: ClientSockets?
  private let bridge: DaemonBridge
  private let post: Post
  private var wakeToken: TimerToken?
  private var inputs: [ClientInput] = []
  private var isHandling = false
  private var isStopped = false
  /// Whether the app is this process itself: there is nobody to launch or kill.
  private var isResident: Bool { residentLaunched != nil }
  private var residentLaunched: (@Sendable (DeviceDaemon) -> Void)?
  private var failure: ClientNodeError?
  private var daemons: [AppID: DeviceDaemon] = [:]

  /// What the apps are to do; one consumer, `run`.
  private let work: AsyncStream<HostWork>
  private let workContinuation: AsyncStream<HostWork>.Continuation

  private enum HostWork: Sendable {
    case launch(DeviceDaemon, user: UUID?)
    case effect(ClientEffect)
  }

  /// Brings inputs from other threads to the node, in order; a node that has gone gets none.
  private final class Post: Sendable {
    private let reactor: Reactor
    private nonisolated(unsafe) weak var node: ClientNode?

    init(reactor: Reactor) { self.reactor = reactor }

    /// Safe since `node` is set once, before the first input, and read on the reactor.
    func attach(_ node: ClientNode) { self.node = node }

    func callAsFunction(_ input: ClientInput) {
      reactor.post { self.node?.assumeIsolated { $0.feed(input) } }
    }
  }

  /// - Parameters:
  ///   - context: shared with a server in the same process when they meet over `inproc://`; nil makes one.
  ///   - seed: where jitter and ids start; nil for the system's randomness.
  ///   - log: gets one line at a time, from any thread.
  ///   - onReady: called once, when every device is registered with the server and the launches that the configuration
  ///     asks for are over; gets a sentence, which is logged too, for each launch that came to nothing.
  package init(
    configuration: ClientNodeConfiguration, host: any AppHost, context: ZMQContext? = nil, seed: UInt64? = nil,
    log: @escaping @Sendable (String) -> Void = { _ in },
    onReady: @escaping @Sendable (_ failedLaunches: [String]) -> Void = { _ in }
  ) throws(ClientNodeError) {
    try configuration.check()
    do throws(ZMQError) {
      reactor = try Reactor(name: configuration.node)
      if let context { self.context = context } else { self.context = try ZMQContext() }
    } catch {
      throw ClientNodeError(.connection, "client node \(configuration.node) cannot start: \(error)")
    }
    self.configuration = configuration
    self.host = host
    self.log = log
    self.onReady = onReady
    persistence =
      configuration.storeFolder.map { folder in
        FilePersistence(path: "\(folder)/\(configuration.world)/\(configuration.node).sqlite")
      } ?? NoPersistence()
    let verifier = CopyVerifier()
    core = ClientNodeCore(
      configuration: configuration, seed: seed ?? UInt64.random(in: 0 ... .max), verify: { verifier.verify($0) })
    let post = Post(reactor: reactor)
    self.post = post
    bridge = DaemonBridge { post($0) }
    // Unbounded on purpose: it holds at most a few entries for each device, all caused by people.
    (work, workContinuation) = AsyncStream.makeStream()
    post.attach(self)
  }

  deinit { reactor.stop() }

  // MARK: Running

  /// Runs until `stop` is called or the task is cancelled; then the apps are killed, the local store is written and the
  /// sockets are closed. Once.
  package func run() async throws(ClientNodeError) {
    let stored = try await load()
    do throws(ZMQError) {
      try open()
    } catch {
      await close()
      throw ClientNodeError(.connection, "client node \(configuration.node) cannot connect: \(error)")
    }
    let post = post
    host.onScreenChange { device in post(.screenChanged(device: device)) }
    begin(with: stored)
    await withTaskCancellationHandler {
      await serveHost()
    } onCancel: {
      stop()
    }
    await close()
    if let failure { throw failure }
  }

  private func begin(with stored: StoredNode) {
    feed(.started(stored, wallClock: MachineClock.now))
    // libzmq tells nothing of connections within a process; they are there at once.
    guard configuration.requestsEndpoint.hasPrefix("inproc://") else { return }
    for link in ClientLink.allCases { feed(.linkUp(link)) }
  }

  /// Begins the orderly end of `run`.
  package nonisolated func stop() { workContinuation.finish() }

  private func load() async throws(ClientNodeError) -> StoredNode {
    let persistence = persistence
    // The disk may be slow: not on the reactor, and not on the cooperative pool.
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: Result { () throws(ClientNodeError) in try persistence.load() })
      }
    }
    var stored = try result.get()
    if let process = configuration.ownProcess { stored.unanswered = process.takeUnanswered() }
    return stored
  }

  private func open() throws(ZMQError) {
    sockets = try ClientSockets(
      requests: configuration.requestsEndpoint, context: context, reactor: reactor,
      received: { [weak self] link, frames in self?.assumeIsolated { $0.feed(.received(link, frames)) } },
      connected: { [weak self] link in self?.assumeIsolated { $0.feed(.linkUp(link)) } },
      event: { [weak self] frames in self?.assumeIsolated { $0.feed(.event(frames)) } },
      log: log)
  }

  /// The apps' work, each piece in a child task, until the node stops.
  private func serveHost() async {
    await withDiscardingTaskGroup { group in
      for await work in work {
        group.addTask { [host, post] in await ClientNode.perform(work, host: host, post: post) }
      }
      isStopped = true
      bridge.close()
      for app in daemons.keys { group.addTask { [host] in await host.kill(device: app.device) } }
      group.cancelAll()
    }
  }

  private func close() async {
    isStopped = true
    bridge.close()
    for daemon in daemons.values { CurrentDevice.unregister(daemon) }
    daemons = [:]
    if let wakeToken { reactor.cancel(wakeToken) }
    sockets?.close()
    sockets = nil
    let persistence = persistence
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        persistence.close()
        continuation.resume()
      }
    }
    reactor.stop()
  }

  // MARK: The process as the app

  /// As `run`, for an app that is this process itself, such as a test: nobody launches or kills it, and nothing on the
  /// way needs Swift's cooperative pool, so that a thread of that pool may wait for `onReady`. Keeps no files. Until
  /// `stopResident`.
  /// - Parameter launched: gets the daemon of each launch, on the node's thread, and decides who finds it.
  package nonisolated func startResident(launched: @escaping @Sendable (DeviceDaemon) -> Void) {
    reactor.post { self.assumeIsolated { $0.openResident(launched) } }
  }

  private func openResident(_ launched: @escaping @Sendable (DeviceDaemon) -> Void) {
    residentLaunched = launched
    do throws(ZMQError) { try open() } catch {
      log("client node \(configuration.node) cannot connect: \(error)")
      return
    }
    begin(with: StoredNode())
  }

  package nonisolated func stopResident() {
    reactor.post { self.assumeIsolated { $0.closeResident() } }
  }

  private func closeResident() {
    isStopped = true
    bridge.close()
    for daemon in daemons.values { CurrentDevice.unregister(daemon) }
    daemons = [:]
    if let wakeToken { reactor.cancel(wakeToken) }
    sockets?.close()
    sockets = nil
    reactor.stop()
  }

  /// See `AppSession.aged`.
  package nonisolated func ageListeners(of device: String) { post(.listenersAged(device: device)) }

  private static func answer(to work: HostWork) -> ClientInput? {
    let noButtons = "the app of this device is the process itself: it has no buttons to press"
    switch work {
    case .launch(let daemon, _):
      return .appLaunched(AppID(device: daemon.device.name, incarnation: daemon.device.incarnation), failure: nil)
    case .effect(.killApp(let app)): return .appKilled(app)
    case .effect(.buy(let request, let app, _)):
      return .bought(request, app, TapBuy.Reply(phase: "failed", message: noButtons))
    case .effect(.restore(let request, let app)):
      return .restored(request, app, TapRestore.Reply(outcome: "failed", message: noButtons))
    case .effect(.signIn(let request, let app, _)): return .signedIn(request, app)
    case .effect(.readScreen(let app)): return .screenRead(app, nil)
    case .effect(.askHost(let request, let name, _)):
      return .hostAnswered(
        request, .failure(WireError(.unknownName, "a client node knows no request '\(name.prefix(100))'")))
    case .effect: return nil
    }
  }

  // MARK: Inputs and effects

  private func feed(_ input: ClientInput) {
    guard !isStopped else { return }
    inputs.append(input)
    // Effects of one input may bring the next: that one waits until they are all done.
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    var next = 0
    while next < inputs.count, !isStopped {
      let effects = core.handle(inputs[next], at: .now)
      next += 1
      for effect in effects {
        do throws(ZMQError) {
          try perform(effect)
        } catch {
          log("client node \(configuration.node): \(error)")
        }
      }
    }
    inputs.removeAll(keepingCapacity: true)
  }

  private func perform(_ effect: ClientEffect) throws(ZMQError) {
    switch effect {
    case .send(let link, let frames): _ = try sockets?.send(frames, on: link)
    case .connectEvents(let endpoint): try sockets?.connectEvents(endpoint)
    case .subscribe(let topic): try sockets?.subscribe(topic)
    case .unsubscribe(let topic): try sockets?.unsubscribe(topic)
    case .answer(let call, let result): bridge.answer(call, result)
    case .yield(let iterators, let element): bridge.yield(iterators, element)
    case .end(let iterators): bridge.end(iterators)
    case .notice(let app, let notice): bridge.post(notice, to: app)
    case .startApp(let identity, let user):
      let daemon = DeviceDaemon(device: identity, bridge: bridge)
      daemons[AppID(device: identity.name, incarnation: identity.incarnation)] = daemon
      bridge.started(AppID(device: identity.name, incarnation: identity.incarnation))
      if let residentLaunched { residentLaunched(daemon) } else { CurrentDevice.register(daemon) }
      handOver(.launch(daemon, user: user))
    case .killApp(let app):
      if let daemon = daemons.removeValue(forKey: app) { CurrentDevice.unregister(daemon) }
      bridge.killed(app)
      handOver(.effect(effect))
    case .allowPayments(let app, let allowed): daemons[app]?.allowPayments(allowed)
    case .appear, .buy, .restore, .signIn, .readScreen, .askHost: handOver(.effect(effect))
    case .persist(let id, let write):
      let post = post
      persistence.save(write) { post(.persisted(id, failure: $0)) }
    case .showTime(let time, let skew): configuration.appClock?.show(time, skewMilliseconds: skew)
    case .remember(let unanswered): configuration.ownProcess?.leave(unanswered)
    case .endProcess(let unanswered):
      configuration.ownProcess?.leave(unanswered)
      configuration.ownProcess?.end()
    case .wake(let due): wake(at: due)
    case .log(let line): log("client node \(configuration.node): \(line)")
    case .ready(let failedLaunches): onReady(failedLaunches)
    case .fail(let error):
      failure = failure ?? error
      stop()
    }
  }

  private func handOver(_ work: HostWork) {
    guard isResident else {
      workContinuation.yield(work)
      return
    }
    if let input = ClientNode.answer(to: work) { feed(input) }
  }

  private func wake(at due: MonotonicTime?) {
    if let wakeToken { reactor.cancel(wakeToken) }
    wakeToken = nil
    guard let due else { return }
    let wait = max(due.microseconds - MonotonicTime.now.microseconds, 0)
    wakeToken = reactor.schedule(after: .microseconds(wait)) { [weak self] in
      self?.assumeIsolated { node in
        node.wakeToken = nil
        node.feed(.wallClock(MachineClock.now))
        node.feed(.timerDue)
      }
    }
  }

  private static func perform(_ work: HostWork, host: any AppHost, post: Post) async {
    switch work {
    case .launch(let daemon, let user):
      let app = AppID(device: daemon.device.name, incarnation: daemon.device.incarnation)
      do {
        try await host.launch(daemon, user: user)
        post(.appLaunched(app, failure: nil))
      } catch {
        post(.appLaunched(app, failure: "\(error)"))
      }
    case .effect(.killApp(let app)):
      await host.kill(device: app.device)
      post(.appKilled(app))
    case .effect(.appear(let app)): await host.appear(device: app.device)
    case .effect(.buy(let request, let app, let order)):
      post(.bought(request, app, await host.buy(device: app.device, order: order)))
    case .effect(.restore(let request, let app)):
      post(.restored(request, app, await host.restore(device: app.device)))
    case .effect(.signIn(let request, let app, let user)):
      await host.signIn(device: app.device, user: user)
      post(.signedIn(request, app))
    case .effect(.askHost(let request, let name, let body)):
      post(.hostAnswered(request, await host.answer(name, body: body)))
    case .effect(.readScreen(let app)): post(.screenRead(app, await host.screen(device: app.device)))
    case .effect: break
    }
  }
}
