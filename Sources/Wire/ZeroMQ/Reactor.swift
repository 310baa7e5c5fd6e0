internal import CZeroMQ
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import Threads

/// One thread that owns a node's sockets, and runs the jobs of the actors that name it as their executor.
///
/// An actor on a reactor uses its sockets without hops, and everything that the reactor calls is isolated to it:
///
///     actor Node {
///       nonisolated let reactor: Reactor
///       nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }
///
///       func start(context: ZMQContext) throws {
///         let router = try ZMQSocket(.router, options: options, context: context, reactor: reactor)
///         endpoint = try router.bind("tcp://127.0.0.1:*")
///         try reactor.add(router) { router, message in self.received(message, from: router) }
///       }
///     }
///
/// Each turn runs the jobs that were queued, then the timers that are due, then a bounded number of messages of each
/// socket that has some. Handlers must not block. A reactor runs until it is stopped, whoever holds it; its handlers
/// may hold their actor until then.
///
/// Work that comes after `stop` still runs, in order, so that no task that awaits an actor here hangs: on a thread that
/// lives as long as there is such work. Sockets are closed by then and their calls throw; timers never fire.
package final class Reactor: SerialExecutor {
  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct Inbox {
    var work: [Work] = []
    /// Whether a thread will look at `work` again.
    var isRunning = true
    /// Whether that thread sleeps and has to be woken.
    var isAsleep = false
    var isStopping = false
  }

  private let name: String
  private let inbox = Mutex(Inbox())
  /// The `pthread_t` of the thread that runs, 0 when none does.
  private let thread = Atomic<UInt>(0)
  private let wakeDescriptor: Int32
  /// Left when the thread ends.
  private let ended = DispatchGroup()

  /// Safe because they are used on the reactor's thread alone: every entry from outside checks that, and when one
  /// thread takes over from another after `stop`, the inbox's lock is between them.
  private nonisolated(unsafe) let poller: ReactorPoller
  private nonisolated(unsafe) var timers = TimerQueue<SuspendingClock.Instant, () -> Void>()

  /// Starts the thread. Its name, of which the system keeps 15 bytes, shows in debuggers.
  package init(name: String) throws(ZMQError) {
    self.name = name
    poller = try ReactorPoller()
    wakeDescriptor = poller.wakeDescriptor
    ended.enter()
    do {
      try NamedThread.start(name) { self.run() }
    } catch {
      ended.leave()
      throw error
    }
  }

  // MARK: From any thread

  /// Runs `work` on the reactor's thread, after what was posted before it.
  package func post(_ work: @escaping @Sendable () -> Void) { add(.closure(work)) }

  package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  /// Traps unless the caller is on the reactor's thread; `assumeIsolated` of its actors asks this.
  package func checkIsolated() {
    // Not a precondition: its sentence would be missing from a release build's crash.
    guard isCurrent else { fatalError("This may only be used on the thread of the reactor '\(name)'") }
  }

  /// Runs what is queued, closes the sockets, each with its linger, and ends the thread. Does not wait for it.
  package func stop() {
    let wakes = inbox.withLock { inbox in
      inbox.isStopping = true
      defer { inbox.isAsleep = false }
      return inbox.isAsleep
    }
    if wakes { wake() }
  }

  /// Waits for the end that `stop` asked for. Blocks its thread; in asynchronous code the other form is used.
  package func join() {
    precondition(!isCurrent, "The reactor '\(name)' cannot wait for its own end")
    ended.wait()
  }

  /// As the other form, without blocking a thread of the cooperative pool. Not for actors of this reactor.
  package func join() async {
    await withCheckedContinuation { continuation in
      ended.notify(queue: .global()) { continuation.resume() }
    }
  }

  // MARK: On the reactor's thread

  /// Runs `work` once, `delay` of monotonic time from now at the earliest; timers that are due at the same instant fire
  /// in the order they were scheduled. A machine that is suspended does not count.
  @discardableResult
  package func schedule(after delay: Duration, _ work: @escaping () -> Void) -> TimerToken {
    checkIsolated()
    return timers.add(due: .now.advanced(by: max(delay, .zero)), work)
  }

  /// After this the timer does not fire. One that has fired is ignored.
  package func cancel(_ token: TimerToken) {
    checkIsolated()
    timers.cancel(token)
  }

  /// Gives each message that `socket` receives to `handler`, in place of the handler that it had.
  package func add(_ socket: ZMQSocket, _ handler: @escaping ZMQSocket.Handler) throws(ZMQError) {
    checkIsolated()
    precondition(socket.reactor === self, "The socket belongs to another reactor")
    try poller.add(socket, handler)
  }

  /// Stops receiving from `socket`, which stays open.
  package func remove(_ socket: ZMQSocket) {
    checkIsolated()
    poller.remove(socket)
  }

  /// Calls `handler` once a turn while `descriptor` can be read without blocking; its end of file and errors count. The
  /// descriptor stays the caller's, who calls `unwatch` before closing it, and at its end of file.
  package func watch(fileDescriptor descriptor: Int32, _ handler: @escaping () -> Void) throws(ZMQError) {
    checkIsolated()
    try poller.watch(descriptor, handler)
  }

  package func unwatch(fileDescriptor descriptor: Int32) {
    checkIsolated()
    poller.unwatch(descriptor)
  }

  // MARK: For sockets

  func opened(_ socket: ZMQSocket) { poller.opened(socket) }

  func closed(_ socket: ZMQSocket) { poller.closed(socket) }

  func look(at socket: ZMQSocket) { poller.look(at: socket) }

  var hasClosedSockets: Bool { poller.isClosed }

  // MARK: The thread

  private var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func add(_ work: Work) {
    enum Next { case nothing, wake, start }
    let next = inbox.withLock { inbox -> Next in
      inbox.work.append(work)
      if !inbox.isRunning {
        inbox.isRunning = true
        return .start
      }
      defer { inbox.isAsleep = false }
      return inbox.isAsleep ? .wake : .nothing
    }
    switch next {
    case .nothing: break
    case .wake: wake()
    case .start: startLate()
    }
  }

  private func wake() {
    var one: UInt64 = 1
    // It fails only when the counter is full, and then the wake-up is there already.
    _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size)
  }

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var batch: [Work] = []
    while true {
      let isStopping = inbox.withLock { inbox in
        inbox.isAsleep = false
        swap(&inbox.work, &batch)
        return inbox.isStopping
      }
      perform(&batch)
      if isStopping { break }
      fireTimers()
      poller.servePending()
      poller.wait(milliseconds: rest())
    }
    poller.close()
    timers.removeAll()
    finish { self.ended.leave() }
  }

  private func perform(_ batch: inout [Work]) {
    let executor = asUnownedSerialExecutor()
    for work in batch {
      switch work {
      case .job(let job): job.runSynchronously(on: executor)
      case .closure(let closure): closure()
      }
    }
    batch.removeAll(keepingCapacity: true)
  }

  private func fireTimers() {
    guard timers.count > 0 else { return }
    let now = SuspendingClock.Instant.now
    while let work = timers.take(dueAt: now) { work() }
  }

  /// How long the thread may wait: it is marked asleep when that is any time at all.
  private func rest() -> Int32 {
    if poller.hasPending { return 0 }
    let limit = timers.next().map { due in
      Int32(clamping: max(due - .now, .zero).milliseconds)
    }
    return inbox.withLock { inbox in
      guard inbox.work.isEmpty, !inbox.isStopping else { return 0 }
      inbox.isAsleep = true
      return limit ?? -1
    }
  }

  /// Works off the inbox until it is empty, and with that ends the thread. `whenDone` is called then, or earlier when
  /// work that adds work for ever would hold up the end.
  private func finish(_ whenDone: () -> Void) {
    var batch: [Work] = []
    var rounds = 0
    while true {
      let isDone = inbox.withLock { inbox in
        swap(&inbox.work, &batch)
        guard batch.isEmpty else { return false }
        inbox.isRunning = false
        thread.store(0, ordering: .relaxed)
        return true
      }
      if isDone { break }
      perform(&batch)
      rounds += 1
      if rounds == 1000 { whenDone() }
    }
    if rounds < 1000 { whenDone() }
  }

  private func startLate() {
    do {
      try NamedThread.start(name) {
        self.thread.store(UInt(pthread_self()), ordering: .relaxed)
        self.finish {}
      }
    } catch {
      // Without a thread the work waits for the next that comes and finds one.
      inbox.withLock { $0.isRunning = false }
    }
  }
}
