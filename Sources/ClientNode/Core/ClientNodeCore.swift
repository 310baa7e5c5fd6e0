import Foundation
package import Shared
package import Wire

/// A client node as a value: what happens goes in, what is to be done comes out.
///
/// It reads no clock, opens no socket and starts no task, so the simulator and a real process run the same code, and
/// the same inputs always give the same effects.
package struct ClientNodeCore: Sendable {
  package typealias Verify = @Sendable (SignedCopyCheck) -> VerificationFailure?

  let configuration: ClientNodeConfiguration
  let verify: Verify
  var random: SplitMix64
  var now = MonotonicTime(microseconds: 0)
  var effects: [ClientEffect] = []

  var devices: [String: DeviceCore] = [:]
  var accounts: [String: AccountSync] = [:]
  var accountOfTopic: [String: String] = [:]
  var link = ServerLink()
  var requests: [RequestID: OutgoingRequest] = [:]
  var timers = Deadlines<TimerKey>()

  /// What the network does to all that this node has in common with the store.
  var network: FaultyNetwork
  /// Messages on their way, by number.
  var parcels: [UInt64: Parcel] = [:]
  var lastParcel: UInt64 = 0
  /// Events that come after the next one.
  var overtaken: [NetworkPath: Parcel] = [:]

  var world: WorldDescription?
  var wallClock = (time: StoreTime(milliseconds: 0), at: MonotonicTime(microseconds: 0))
  var isCheckingPositions = false
  var isDescribingWorld = false
  /// Of the last change of habits that the node heard of.
  var habitsPosition = StreamPosition.start
  /// Whether habits changed since the world was asked for its description.
  var habitsAreNewer = false

  var control = ControlDesk()
  var readiness = NodeReadiness()
  var reports = ReportDesk()
  var finishInFlight: Set<String> = []
  /// What the process before left unanswered; nil once it is answered.
  var inherited: UnansweredRequests?
  /// How the process before ended, until an app runs again.
  var lastEnd: String?
  /// Where the world's clock stood when the app's was set last; nil for one that runs with the machine's.
  var shownTime: StoreTime?

  // What this turn has to look at before it ends.
  var touchedDevices: Set<String> = []
  var touchedAccounts: Set<String> = []
  private var afterThisWrite: [AfterWrite] = []
  private var worldToStore: WorldDescription?
  private var afterWrite: [WriteID: [AfterWrite]] = [:]
  private var writes: UInt64 = 0
  private var nextWake: MonotonicTime?

  /// What waits until a write would survive a kill.
  enum AfterWrite: Sendable {
    case startApp(AppID)
    case tellFinish(AppID, CallID)
    case endProcess(UnansweredRequests)
  }

  enum TimerKey: Hashable, Sendable {
    case hello
    case silence
    case describeWorld
    case reports
    case request(RequestID)
    case subscription(account: String)
    case catchUp(account: String)
    case launchWindow(AppID)
    case delivery(AppID)
    case patience(AppID)
    case call(AppID, CallID)
    case kill(AppID)
    /// An app that is launched has to come back from its initializer.
    case initializer(AppID)
    case parcel(UInt64)
    case overtaken(NetworkPath)
    /// A phone that hears no events asks for them.
    case deafness(String)
  }

  /// - Parameters:
  ///   - seed: where jitter and ids start; the same seed and inputs give the same run.
  ///   - verify: checks a signed copy; nil is good.
  package init(configuration: ClientNodeConfiguration, seed: UInt64, verify: @escaping Verify) {
    self.configuration = configuration
    self.verify = verify
    random = SplitMix64(seed: seed)
    // Not from the same sequence: faults leave ids and jitter as they are.
    network = FaultyNetwork(seed: ~seed)
  }

  package mutating func handle(_ input: ClientInput, at now: MonotonicTime) -> [ClientEffect] {
    self.now = max(self.now, now)
    take(input)
    settle()
    sayReady()
    save()
    wake()
    defer { effects = [] }
    return effects
  }

  private mutating func take(_ input: ClientInput) {
    switch input {
    case .started(let stored, let wallClock): start(stored, wallClock)
    case .wallClock(let time): wallClock = (time, now)
    case .received(let link, let frames): receive(frames, on: link)
    case .event(let frames): receiveEvent(frames)
    case .linkUp(let link): connected(link)
    case .timerDue:
      while let key = timers.take(dueAt: now) { due(key) }
    case .call(let id, let app, let call, let isCancelled): take(call, id, from: app, isCancelled: isCancelled)
    case .iteratorOpened(let id, let app, let kind): openIterator(id, app, kind)
    case .iteratorClosed(let id, let app, let unread): closeIterator(id, app, unread: unread)
    case .appLaunched(let app, let failure): appLaunched(app, failure: failure)
    case .appAppeared(let app):
      if isRunning(app) { devices[app.device]?.app?.hasAppeared = true }
    case .listenersAged(let device): devices[device]?.ageListeners()
    case .appKilled(let app): appKilled(app)
    case .screenChanged(let device): readScreen(device)
    case .screenRead(let app, let screen): screenRead(app, screen)
    case .bought(let request, _, let reply): self.reply(request, reply)
    case .restored(let request, _, let reply): self.reply(request, reply)
    case .signedIn(let request, let app): replyReport(request, app.device)
    case .hostAnswered(let request, let result): hostAnswered(request, result)
    case .persisted(let write, let failure): persisted(write, failure: failure)
    }
  }

  private mutating func due(_ key: TimerKey) {
    switch key {
    case .hello: helloDue()
    case .silence: silence()
    case .describeWorld: describeWorld()
    case .reports: sendReports()
    case .request(let id): requestDue(id)
    case .subscription(let account): subscribeAgain(account)
    case .catchUp(let account): catchUp(account)
    case .launchWindow(let app), .patience(let app), .delivery(let app):
      if isRunning(app) { touch(app.device) }
    case .call(let app, let call): callDue(call, of: app)
    case .kill(let app):
      if devices[app.device]?.endingApp == app { effects.append(.killApp(app)) }
    case .initializer(let app): initializerDue(app)
    case .parcel(let number): parcelDue(number)
    case .overtaken(let path): releaseOvertaken(path)
    case .deafness(let name): deafnessDue(name)
    }
  }

  // MARK: Start

  private mutating func start(_ stored: StoredNode, _ wallClock: StoreTime) {
    guard devices.isEmpty else { return }
    self.wallClock = (wallClock, now)
    world = stored.world
    inherit(stored.unanswered)
    var names: [String: [String]] = [:]
    for device in configuration.devices {
      let store = LocalStore(
        device: device.name, account: device.account, stored: stored.devices[device.name],
        freshVerificationId: random.uuid())
      devices[device.name] = DeviceCore(
        name: device.name, store: store, seed: network.nextSeed(), habits: habits)
      names[device.account, default: []].append(device.name)
      touch(device.name)
    }
    for (account, devices) in names {
      let address = ActorAddress(world: configuration.world, kind: .account, key: account)
      accounts[account] = AccountSync(address: address, devices: devices.sorted())
      accountOfTopic[address.topic] = account
    }
    link.lastHeard = now
    timers.set(.silence, at: link.silenceEnds)
    greetAgain()
    if let world, case .manual = world.clock { showTime(world.now) } else { showTime(nil) }
    // An app that has just ended by itself, or was killed, stays so until somebody launches it.
    guard configuration.launchesApps, stored.unanswered.lastEnd == nil else { return }
    for name in devices.keys.sorted() {
      // A launch that nobody waits for.
      control.launching[name] = []
      readiness.launching.insert(name)
      launchParked(name)
    }
  }

  private mutating func sayReady() {
    guard readiness.isDue else { return }
    readiness.wasSaid = true
    effects.append(.ready(failedLaunches: readiness.failedLaunches))
    readiness.failedLaunches = []
  }

  // MARK: The end of a turn

  func isRunning(_ app: AppID) -> Bool { devices[app.device]?.app?.id == app }

  mutating func touch(_ device: String) { touchedDevices.insert(device) }

  /// Lets what has changed take its further course: updates whose copies came are applied, calls answered, the next
  /// copies asked for.
  private mutating func settle() {
    for name in touchedDevices.sorted() {
      settle(name)
      if let account = devices[name]?.account { touchedAccounts.insert(account) }
    }
    for account in touchedAccounts.sorted() { fetchCopies(account) }
    touchedAccounts = []
  }

  private mutating func settle(_ name: String) {
    devices[name]?.now = now
    devices[name]?.advance(&effects)
    devices[name]?.completePurchases(&effects)
    guard let device = devices[name] else { return }
    if let app = device.app {
      let isReady = device.isSynced || !device.isOnline || link.contact == .lost
      if device.isSynced, !app.hadContact { devices[name]?.app?.hadContact = true }
      if isReady, !app.hasReplayed || !app.awaitingReplay.isEmpty { devices[name]?.replay(&effects) }
      devices[name]?.appearIfDue(at: now, &effects)
      devices[name]?.deliverLater(&effects)
      settleQueries(name, isReady: isReady)
      if let next = devices[name]?.nextDelivery { timers.set(.delivery(app.id), at: next) }
    }
    claim(name)
    noteReport(name)
  }

  mutating func after(_ write: AfterWrite) { afterThisWrite.append(write) }

  mutating func storeWorld(_ world: WorldDescription) { worldToStore = world }

  private mutating func save() {
    var write = StoreWrite(world: worldToStore)
    worldToStore = nil
    for name in touchedDevices.sorted() {
      if let change = devices[name]?.store.takeWrite() { write.devices.append(change) }
    }
    touchedDevices = []
    let waiting = afterThisWrite
    afterThisWrite = []
    guard write.world != nil || !write.devices.isEmpty || !waiting.isEmpty else { return }
    writes += 1
    let id = WriteID(writes)
    if !waiting.isEmpty { afterWrite[id] = waiting }
    effects.append(.persist(id, write))
  }

  private mutating func persisted(_ write: WriteID, failure: String?) {
    if let failure {
      // Going on in memory is better than a phone that hangs; what was promised to be safe is then only as safe as
      // the store's own answer.
      effects.append(.log("the local store could not be written, this change would not survive a kill: \(failure)"))
      // Later changes alone would leave holes.
      for name in devices.keys { devices[name]?.store.saveEverything() }
    }
    for waiting in afterWrite.removeValue(forKey: write) ?? [] {
      switch waiting {
      case .startApp(let app): startApp(app)
      case .tellFinish(let app, let call): tellFinish(app, call)
      case .endProcess(let unanswered): effects.append(.endProcess(unanswered))
      }
    }
  }

  private mutating func wake() {
    let next = timers.next()
    guard next != nextWake else { return }
    nextWake = next
    effects.append(.wake(at: next))
  }

  mutating func jitter(_ range: ClosedRange<Int64>) -> MonotonicTime {
    let wait = configuration.isAlone ? range.lowerBound : Int64.random(in: range, using: &random)
    return now.advanced(byMilliseconds: wait)
  }

  /// The world's time as this node knows it.
  var worldTime: StoreTime {
    if let world, case .manual = world.clock { return world.now }
    return wallClock.time.advanced(by: now.milliseconds(since: wallClock.at))
  }

  func address(_ kind: ActorAddress.Kind, _ key: String) -> ActorAddress {
    ActorAddress(world: configuration.world, kind: kind, key: key)
  }
}
