import CLinux
import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// One thread that serves connections with a libmicrohttpd daemon of its own, and runs the handlers of their requests.
///
/// The daemon has no thread: each turn of the loop runs the jobs that wait, lets the daemon do what it can without
/// blocking, and looks for deadlines that have passed. So whatever belongs to a connection is touched by one thread,
/// and a handler that never leaves the loop answers without any hand-over between threads.
///
/// Sendable by `@unchecked`: the inbox is under its lock, counters are atomic, and everything else is used on the
/// loop's thread alone (`start` ends before the thread begins).
final class HTTPLoop: TaskExecutor, @unchecked Sendable {
  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct Inbox {
    var work: [Work] = []
    var isAsleep = false
    /// Whether the thread has ended; what comes later runs elsewhere.
    var hasEnded = false
  }

  /// Names of descriptors in the loop's epoll; greater ones are connections.
  enum Tag {
    static let daemon: UInt64 = 0
    static let wake: UInt64 = 1
    static let listener: UInt64 = 2
  }

  let state: HTTPServerState
  /// Connections that are here or on their way here.
  let load = Atomic<Int>(0)
  private let inbox = Mutex(Inbox())
  private let thread = Atomic<UInt>(0)
  private let wakeDescriptor: Int32
  let epoll: Int32

  private var localWork: [Work] = []
  private(set) var daemon: OpaquePointer?
  private(set) var now = MonotonicTime.now()
  private var nextSweep: MonotonicTime?
  private let sweepInterval: Duration
  /// By their tags.
  var connections: [UInt64: HTTPConnection] = [:]
  private var lastTag = Tag.listener
  /// Tasks that run on this loop; the thread outlives them all.
  var liveTasks = 0

  /// The first loop listens, and gives each connection to the loop with the fewest.
  var listener: Int32?
  var peers: [HTTPLoop] = []
  var listensAgainAt: MonotonicTime?

  private(set) var isStopping = false
  private var stopDeadline: MonotonicTime?
  private var isForced = false
  private var stopWaiters: [CheckedContinuation<Void, Never>] = []

  init(state: HTTPServerState, tls: HTTPTLSIdentity?) throws(HTTPServerError) {
    self.state = state
    let limits = state.limits
    let shortest = [limits.idleTimeout, limits.headerTimeout, limits.bodyTimeout, limits.lingerTimeout].min() ?? .zero
    sweepInterval = min(max(shortest / 8, .milliseconds(5)), .milliseconds(250))
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard epoll >= 0, wakeDescriptor >= 0 else {
      throw HTTPServerError(
        operation: "start an HTTP server",
        reason: "\(String(cString: strerror(errno))). Close some files, or raise the limit of open files.")
    }
    daemon = try startDaemon(tls: tls)
    watch(wakeDescriptor, Tag.wake, EPOLLIN.rawValue)
    watch(cmicrohttpd_epoll_descriptor(daemon), Tag.daemon, EPOLLIN.rawValue)
  }

  deinit {
    if let daemon { MHD_stop_daemon(daemon) }
    if let listener { close(listener) }
    if wakeDescriptor >= 0 { close(wakeDescriptor) }
    if epoll >= 0 { close(epoll) }
  }

  /// Begins to run, until `stop` has ended.
  func start(name: String) throws(HTTPServerError) {
    let code = NamedThread.start(named: name) { self.run() }
    guard code == 0 else {
      throw HTTPServerError(
        operation: "start an HTTP server",
        reason: "\(String(cString: strerror(code))). Raise the limit of threads, or ask for fewer.")
    }
  }

  // MARK: From any thread

  func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  /// Runs the closure on the loop: at once if the caller is there.
  func perform(_ work: @escaping @Sendable () -> Void) {
    if isCurrent { work() } else { add(.closure(work)) }
  }

  /// Ends the requests that are being served, at the deadline the hard way, then the thread.
  func stop(within grace: Duration) async {
    await withCheckedContinuation { continuation in
      perform { self.beginStop(within: grace, continuation) }
    }
  }

  /// Ends the thread, if it was started: the server could not be.
  func abandon() { perform { self.beginStop(within: .zero, nil) } }

  private var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func add(_ work: Work) {
    if isCurrent {
      localWork.append(work)
      return
    }
    let (wakes, isLate) = inbox.withLock { inbox -> (Bool, Bool) in
      guard !inbox.hasEnded else { return (false, true) }
      inbox.work.append(work)
      defer { inbox.isAsleep = false }
      return (inbox.isAsleep, false)
    }
    if wakes {
      var one: UInt64 = 1
      Glibc.write(wakeDescriptor, &one, 8)
    } else if isLate {
      runLate(work)
    }
  }

  /// The thread ends after its last task, so this is a second `stop`, or a task that someone else put here.
  private func runLate(_ work: Work) {
    Task.detached {
      switch work {
      case .job(let job): job.runSynchronously(on: self.asUnownedTaskExecutor())
      case .closure(let closure): closure()
      }
    }
  }

  // MARK: On the loop's thread

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    while true {
      runInbox()
      if let daemon { MHD_run(daemon) }
      now = .now()
      sweepIfDue()
      if isStopping { advanceStop() }
      if daemon == nil, liveTasks == 0, localWork.isEmpty, endIfEmpty() { break }
      wait(&events)
    }
    thread.store(0, ordering: .relaxed)
  }

  private func runInbox() {
    let work = inbox.withLock { inbox in
      inbox.isAsleep = false
      return exchange(&inbox.work, with: [])
    }
    for item in work { run(item) }
    runLocalWork()
  }

  /// Runs jobs that came from this thread itself, and those that they cause, up to a bound that keeps the turn short.
  func runLocalWork() {
    var budget = 1024
    while !localWork.isEmpty, budget > 0 {
      for item in exchange(&localWork, with: []) {
        run(item)
        budget -= 1
      }
    }
  }

  private func run(_ work: Work) {
    switch work {
    case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
    case .closure(let closure): closure()
    }
  }

  private func wait(_ events: inout [epoll_event]) {
    var timeout: Int32 = -1
    func atMost(_ milliseconds: Int32) { timeout = timeout < 0 ? milliseconds : min(timeout, milliseconds) }
    if let nextSweep { atMost(now.milliseconds(until: nextSweep)) }
    if let daemon {
      var milliseconds: UInt64 = 0
      if MHD_get_timeout(daemon, &milliseconds) == .YES { atMost(Int32(clamping: milliseconds)) }
    }
    let sleeps = inbox.withLock { inbox in
      inbox.isAsleep = inbox.work.isEmpty && localWork.isEmpty
      return inbox.isAsleep
    }
    let count = epoll_wait(epoll, &events, Int32(events.count), sleeps ? timeout : 0)
    // It may have slept for long, and connections that are accepted now count from now.
    now = .now()
    guard count > 0 else { return }
    for event in events.prefix(Int(count)) {
      switch event.data.u64 {
      case Tag.daemon: break
      case Tag.wake:
        var value: UInt64 = 0
        _ = Glibc.read(wakeDescriptor, &value, 8)
      case Tag.listener: acceptConnections()
      case let tag: connections[tag]?.peerFinished()
      }
    }
  }

  /// Returns the name of the connection in the loop's epoll; none is used twice.
  func add(_ connection: HTTPConnection) -> UInt64 {
    lastTag += 1
    connections[lastTag] = connection
    return lastTag
  }

  func watch(_ descriptor: Int32, _ tag: UInt64, _ what: UInt32) {
    var event = epoll_event()
    event.events = what
    event.data.u64 = tag
    epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
  }

  func unwatch(_ descriptor: Int32) { epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil) }

  // MARK: Time

  /// Makes sure that deadlines are looked at from now on.
  func needsSweep() {
    if nextSweep == nil { nextSweep = now.advanced(by: sweepInterval) }
  }

  /// Looks at all connections: their number is bounded, and each costs a comparison.
  private func sweepIfDue() {
    guard let due = nextSweep, due <= now else { return }
    for connection in connections.values { connection.endIfDue(now) }
    if let again = listensAgainAt, again <= now { listenAgain() }
    let isNeeded = !connections.isEmpty || listensAgainAt != nil || isStopping
    nextSweep = isNeeded ? now.advanced(by: sweepInterval) : nil
  }

  // MARK: Stopping

  private func beginStop(within grace: Duration, _ continuation: CheckedContinuation<Void, Never>?) {
    guard daemon != nil else {
      continuation?.resume()
      return
    }
    if let continuation { stopWaiters.append(continuation) }
    let deadline = MonotonicTime.now().advanced(by: grace)
    stopDeadline = min(stopDeadline ?? deadline, deadline)
    guard !isStopping else { return }
    isStopping = true
    needsSweep()
    stopListening()
    for connection in connections.values { connection.beginStop() }
  }

  private func advanceStop() {
    if !connections.isEmpty, !isForced, let stopDeadline, stopDeadline <= now {
      isForced = true
      for connection in connections.values { connection.abort() }
    }
    guard connections.isEmpty, load.load(ordering: .relaxed) == 0, let daemon else { return }
    unwatch(cmicrohttpd_epoll_descriptor(daemon))
    MHD_stop_daemon(daemon)
    self.daemon = nil
    nextSweep = nil
    for waiter in exchange(&stopWaiters, with: []) { waiter.resume() }
  }

  private func endIfEmpty() -> Bool {
    inbox.withLock { inbox in
      inbox.hasEnded = inbox.work.isEmpty
      return inbox.hasEnded
    }
  }
}
