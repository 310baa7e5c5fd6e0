import ClientNode
import Foundation
import Shared
import Wire

/// One client node's core and a fake store, with a network between them that tests can break, and a clock that they
/// move.
struct Bench {
  var store = FakeStore()
  var core: ClientNodeCore
  var now = MonotonicTime(microseconds: 1_000_000)
  var configuration: ClientNodeConfiguration
  var seed: UInt64

  // The network.
  var isStoreLinkUp = true
  var areEventsUp = true
  /// Whether messages stay in `wire` until `pump` is told to take one.
  var holdsMessages = false
  var wire: [Message] = []
  var subscriptions: Set<String> = []
  var heartbeats = true
  /// How often the node has said hello.
  private(set) var hellos: [ClientLink: Int] = [:]
  /// Whether heartbeats say how many there were before them.
  var numbersHeartbeats = false
  private var heartbeatNumber: UInt64 = 0
  private var nextHeartbeat: MonotonicTime?

  enum Message {
    case request(ClientLink, [Data])
    case reply(ClientLink, [Data])
    case event([Data])
  }

  // What the apps saw.
  var answers: [CallID: Result<DaemonAnswer, DaemonError>] = [:]
  var yielded: [IteratorID: [StreamElement]] = [:]
  var notices: [AppID: [AppNotice]] = [:]
  var ended: Set<IteratorID> = []
  var started: [AppID] = []
  var appeared: [AppID] = []
  var identities: [AppID: DeviceIdentity] = [:]
  /// Whether the host says how a restore ended.
  var answersRestore = true
  var paymentsAllowed: [AppID: Bool] = [:]
  var logs: [String] = []
  var failures: [ClientNodeError] = []
  var controlReplies: [RequestID: ReplyFrames] = [:]
  var readyCount = 0
  var failedLaunches: [String] = []
  var allEffects = 0
  /// What concerns the process of an app.
  private(set) var processEffects: [ClientEffect] = []

  // The phone's disk.
  var disk = FakeDisk()
  var holdsWrites = false
  var heldWrites: [WriteID] = []

  /// Whether an app opens an iterator in its initializer, as it should.
  var listensAtLaunch = true
  var listener: [AppID: IteratorID] = [:]
  /// Iterators in the order they were opened.
  var launchHolds = false

  private var wakeAt: MonotonicTime?
  private var calls: UInt64 = 0
  private var iterators: UInt64 = 0
  private var controls: UInt64 = 0

  init(_ devices: [(String, String)] = [("phone", "alice")], seed: UInt64 = 1) {
    self.seed = seed
    configuration = ClientNodeConfiguration(
      world: FakeStore.world, node: "node", devices: devices.map { .init(name: $0.0, account: $0.1) },
      requestsEndpoint: "inproc://requests")
    core = ClientNodeCore(configuration: configuration, seed: seed, verify: FakeSigner.verify)
  }

  mutating func start() {
    feed(.started(disk.node, wallClock: store.now))
    advance(100)
  }

  /// The process is killed and starts again: only the disk is left.
  mutating func restartProcess() {
    wire = []
    heldWrites = []
    subscriptions = []
    wakeAt = nil
    seed += 1
    core = ClientNodeCore(configuration: configuration, seed: seed, verify: FakeSigner.verify)
    start()
  }

  // MARK: Running

  mutating func feed(_ input: ClientInput) {
    var queue = [input]
    while !queue.isEmpty {
      let next = queue.removeFirst()
      for effect in core.handle(next, at: now) { queue += perform(effect) }
    }
    if !holdsMessages { pump() }
  }

  /// Delivers all messages.
  mutating func pump() {
    publish()
    while !wire.isEmpty {
      deliver(wire.removeFirst())
      publish()
    }
  }

  mutating func deliver(_ message: Message) {
    switch message {
    case .request(let link, let frames):
      guard isStoreLinkUp || link == .control else { return }
      guard let request = try? RequestFrames(frames: frames) else { return }
      let reply = store.handle(request)
      wire.append(.reply(link, reply.frames))
      publish()
    case .reply(let link, let frames):
      guard isStoreLinkUp || link == .control else { return }
      feedOnly(.received(link, frames))
    case .event(let frames):
      guard areEventsUp else { return }
      feedOnly(.event(frames))
    }
  }

  private mutating func feedOnly(_ input: ClientInput) {
    let held = holdsMessages
    holdsMessages = true
    feed(input)
    holdsMessages = held
  }

  mutating func publish() {
    for event in store.published where subscriptions.contains(event.topic) { wire.append(.event(event.frames)) }
    store.published = []
  }

  /// Moves monotonic time; timers and heartbeats come at their own instants.
  mutating func advance(_ milliseconds: Int64) {
    let end = now.advanced(byMilliseconds: milliseconds)
    while true {
      let beat = heartbeats ? (nextHeartbeat ?? now.advanced(byMilliseconds: Int64(store.heartbeatMilliseconds))) : nil
      nextHeartbeat = beat
      let due = [wakeAt, beat].compactMap { $0 }.min()
      guard let due, due <= end else { break }
      now = max(now, due)
      if let beat, beat <= now {
        nextHeartbeat = beat.advanced(byMilliseconds: Int64(store.heartbeatMilliseconds))
        publishHeartbeat(recent: Array(store.accounts.keys.sorted()))
        if !holdsMessages { pump() }
      }
      if let wake = wakeAt, wake <= now {
        wakeAt = nil
        feed(.timerDue)
      }
    }
    now = end
  }

  private mutating func publishHeartbeat(recent: [String]) {
    heartbeatNumber += 1
    store.published.append(store.heartbeat(recent: recent, number: numbersHeartbeats ? heartbeatNumber : nil))
    publish()
  }

  /// A heartbeat out of turn.
  mutating func beat(recent: [String]) {
    publishHeartbeat(recent: recent)
    pump()
  }

  private mutating func perform(_ effect: ClientEffect) -> [ClientInput] {
    allEffects += 1
    switch effect {
    case .send(let link, let frames):
      if let reply = try? ReplyFrames(frames: frames), let id = reply.id {
        controlReplies[id] = reply
      } else {
        if (try? RequestFrames(frames: frames))?.name == Hello.name { hellos[link, default: 0] += 1 }
        wire.append(.request(link, frames))
      }
    case .connectEvents: break
    case .subscribe(let topic):
      subscriptions.insert(topic)
      if let echo = store.echo(topic) { wire.append(.event(echo.frames)) }
    case .unsubscribe(let topic): subscriptions.remove(topic)
    case .answer(let call, let result):
      precondition(answers[call] == nil, "a call was answered twice")
      answers[call] = result
    case .yield(let ids, let element):
      for id in ids {
        precondition(!ended.contains(id), "an iterator that has ended got an element")
        yielded[id, default: []].append(element)
      }
    case .end(let ids): ended.formUnion(ids)
    case .notice(let app, let notice):
      precondition(started.contains(app), "an app that was not started got a notice")
      notices[app, default: []].append(notice)
    case .startApp(let identity, _):
      let app = AppID(device: identity.name, incarnation: identity.incarnation)
      started.append(app)
      identities[app] = identity
      var inputs: [ClientInput] = []
      if listensAtLaunch {
        iterators += 1
        listener[app] = IteratorID(iterators)
        inputs.append(.iteratorOpened(IteratorID(iterators), app, .transactions))
      }
      return launchHolds ? inputs : inputs + [.appLaunched(app, failure: nil)]
    case .killApp(let app): return [.appKilled(app)]
    case .appear(let app): appeared.append(app)
    case .allowPayments(let app, let allowed): paymentsAllowed[app] = allowed
    case .buy(let request, let app, let order):
      _ = request
      calls += 1
      return [.call(CallID(calls), app, .purchase(order)), .bought(request, app, TapBuy.Reply(phase: "completed"))]
    case .restore where !answersRestore: break
    case .restore(let request, let app): return [.restored(request, app, TapRestore.Reply(outcome: "restored"))]
    case .signIn(let request, let app, _): return [.signedIn(request, app)]
    case .readScreen(let app): return [.screenRead(app, AppScreen(access: .locked))]
    case .askHost(let request, let name, let body):
      return [.hostAnswered(request, name == "echo" ? .success(body) : .failure(WireError(.unknownName, name)))]
    case .persist(let id, let write):
      if holdsWrites {
        heldWrites.append(id)
        return []
      }
      disk.save(write)
      return [.persisted(id, failure: nil)]
    case .wake(let at): wakeAt = at
    case .showTime, .remember, .endProcess: processEffects.append(effect)
    case .log(let line): logs.append(line)
    case .ready(let failed):
      readyCount += 1
      failedLaunches += failed
    case .fail(let error): failures.append(error)
    }
    return []
  }

  mutating func releaseWrites() {
    holdsWrites = false
    let held = heldWrites
    heldWrites = []
    for id in held { feed(.persisted(id, failure: nil)) }
  }

  // MARK: People

  @discardableResult
  mutating func control(_ message: some Request, _ device: String = "phone", id: RequestID? = nil) -> RequestID {
    controls += 1
    let id = id ?? RequestID(UUID(uuidString: String(format: "00000000-0000-4000-8000-%012d", Int(controls)))!)
    let address = ActorAddress(world: FakeStore.world, kind: .device, key: device)
    feed(.received(.control, RequestFrames(message, to: address, id: id).frames))
    return id
  }

  /// Says something to the client node itself.
  @discardableResult
  mutating func controlNode(_ message: SetNetworkFaults) -> RequestID {
    controls += 1
    let id = RequestID(UUID(uuidString: String(format: "00000000-0000-4000-8000-%012d", Int(controls)))!)
    let address = ActorAddress(world: FakeStore.world, kind: .node, key: configuration.node)
    feed(.received(.control, RequestFrames(message, to: address, id: id).frames))
    return id
  }

  @discardableResult
  mutating func launch(_ device: String = "phone") -> AppID {
    control(LaunchDevice(), device)
    advance(50)
    return started.last { $0.device == device } ?? AppID(device: device, incarnation: 0)
  }

  mutating func kill(_ device: String = "phone") { control(KillDevice(), device) }
  mutating func setOnline(_ online: Bool, _ device: String = "phone") { control(SetOnline(online: online), device) }

  func report(of id: RequestID) -> DeviceReport? {
    guard case .ok(let body)? = controlReplies[id]?.outcome else { return nil }
    return try? WireJSON.decode(DeviceReport.self, from: body)
  }

  // MARK: Apps

  @discardableResult
  mutating func call(_ call: DaemonCall, _ app: AppID) -> CallID {
    calls += 1
    feed(.call(CallID(calls), app, call))
    return CallID(calls)
  }

  @discardableResult
  mutating func listen(_ app: AppID, _ kind: IteratorKind = .transactions) -> IteratorID {
    iterators += 1
    feed(.iteratorOpened(IteratorID(iterators), app, kind))
    return IteratorID(iterators)
  }

  /// The ids that came through the listener of the app's initializer.
  func updates(_ app: AppID) -> [TransactionID] { listener[app].map { transactions($0) } ?? [] }

  func transactions(_ iterator: IteratorID) -> [TransactionID] {
    (yielded[iterator] ?? []).compactMap {
      if case .transaction(let element) = $0 { element.record.transactionId } else { nil }
    }
  }

  func elements(_ iterator: IteratorID) -> [SignedTransaction] {
    (yielded[iterator] ?? []).compactMap { if case .transaction(let element) = $0 { element } else { nil } }
  }

  func statuses(_ iterator: IteratorID) -> [SignedStatus] {
    (yielded[iterator] ?? []).compactMap { if case .status(let status) = $0 { status } else { nil } }
  }

  /// Asks and returns what is answered at once; nil when the answer is still to come.
  mutating func query(_ query: TransactionQuery, _ app: AppID) -> [TransactionID]? {
    let id = call(.transactions(query), app)
    return transactions(of: id)
  }

  func transactions(of call: CallID) -> [TransactionID]? {
    guard case .success(.transactions(let list))? = answers[call] else { return nil }
    return list.map(\.record.transactionId)
  }

  func purchased(_ call: CallID) -> TransactionID? {
    guard case .success(.purchase(.success(let element)))? = answers[call] else { return nil }
    return element.record.transactionId
  }

  func error(_ call: CallID) -> DaemonError? {
    guard case .failure(let error)? = answers[call] else { return nil }
    return error
  }

  func isDone(_ call: CallID) -> Bool {
    guard case .success(.done)? = answers[call] else { return false }
    return true
  }
}
