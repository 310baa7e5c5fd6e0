import Foundation
import Synchronization
import Testing
import Wire

@Suite(.timeLimit(.minutes(2))) struct ReactorTests {
  @Test func postedWorkRunsInOrder() async throws {
    try await withReactor { _, reactor in
      let log = Log<Int>()
      for number in 0..<10_000 { reactor.post { log.append(number) } }
      try await reactor.run {}
      #expect(log.all == Array(0..<10_000))
    }
  }

  @Test func workOfEachThreadKeepsItsOrder() async throws {
    try await withReactor { _, reactor in
      let log = Log<(poster: Int, number: Int)>()
      await withTaskGroup(of: Void.self) { group in
        for poster in 0..<8 {
          group.addTask {
            for number in 0..<2000 { reactor.post { log.append((poster, number)) } }
          }
        }
      }
      try await reactor.run {}
      for poster in 0..<8 {
        #expect(log.all.filter { $0.poster == poster }.map(\.number) == Array(0..<2000))
      }
    }
  }

  @Test func timersFireInTheOrderTheyAreDueAndNotEarly() async throws {
    try await withReactor { _, reactor in
      let log = Log<Int>()
      let start = SuspendingClock.now
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        reactor.post {
          reactor.schedule(after: .milliseconds(30)) { continuation.resume() }
          for delay in [20, 5, 10, 0, -5] {
            reactor.schedule(after: .milliseconds(delay)) { log.append(delay) }
          }
        }
      }
      #expect(SuspendingClock.now - start >= .milliseconds(30))
      #expect(log.all == [0, -5, 5, 10, 20])
    }
  }

  @Test func aCancelledTimerDoesNotFire() async throws {
    try await withReactor { _, reactor in
      let log = Log<String>()
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        reactor.post {
          let cancelled = reactor.schedule(after: .milliseconds(1)) { log.append("cancelled") }
          reactor.schedule(after: .milliseconds(10)) { continuation.resume() }
          reactor.cancel(cancelled)
        }
      }
      #expect(log.all.isEmpty)
    }
  }

  @Test func aFloodOfMessagesHoldsUpNeitherJobsNorTimers() async throws {
    try await withReactor { context, reactor in
      let flood = Flood(context, reactor)
      try await flood.begin(inFlight: 5000)
      #expect(try await flood.messagesBeforeAJob() <= 4 * 64)
      #expect(try await flood.messagesBeforeATimer() <= 4 * 64)
      await flood.end()
    }
  }

  @Test func actorsRunOnTheReactorAndItsHandlersAreIsolatedToThem() async throws {
    try await withReactor { context, reactor in
      let counter = Counter(reactor)
      let name = await counter.threadName
      #expect(name == "test-reactor")
      try await reactor.run { counter.increment() }
      await counter.schedule()
      #expect(await counter.fired() == 2)
    }
  }

  @Test func assumingIsolationElsewhereTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let counter = Counter(try Reactor(name: "owner"))
      counter.increment()
    }
    #expect(result.map(standardError(of:))?.contains("only be used on the thread of the reactor 'owner'") == true)
  }

  @Test func assumingIsolationOnAnotherReactorTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let counter = Counter(try Reactor(name: "owner"))
      try await Reactor(name: "other").run { counter.increment() }
    }
    #expect(result.map(standardError(of:))?.contains("only be used on the thread of the reactor 'owner'") == true)
  }

  @Test func signalsStayAwayFromTheThread() async throws {
    try await withReactor { _, reactor in
      let blocked = try await reactor.run {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return [SIGTERM, SIGINT, SIGCHLD, SIGSEGV].map { sigismember(&mask, $0) == 1 }
      }
      #expect(blocked == [true, true, true, false])
    }
  }

  @Test func startingAReactorLeavesTheSignalsOfItsCallerAlone() throws {
    func blocked() -> [Bool] {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      return (1..<32).map { sigismember(&mask, $0) == 1 }
    }
    let before = blocked()
    let reactor = try Reactor(name: "masked")
    #expect(blocked() == before)
    reactor.stop()
  }

  @Test func aWatchedPipeTellsOfBytesAndOfItsEnd() async throws {
    try await withReactor { _, reactor in
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      let (reader, writer) = (ends[0], ends[1])
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      try await reactor.run {
        try reactor.watch(fileDescriptor: reader) {
          var buffer = [UInt8](repeating: 0, count: 2)
          let count = read(reader, &buffer, buffer.count)
          continuation.yield(count)
          if count == 0 {
            reactor.unwatch(fileDescriptor: reader)
            continuation.finish()
          }
        }
      }
      _ = write(writer, [1, 2, 3], 3)
      var counts = stream.makeAsyncIterator()
      #expect(await counts.next() == 2)
      #expect(await counts.next() == 1)
      close(writer)
      #expect(await counts.next() == 0)
      #expect(await counts.next() == nil)
      let error = await #expect(throws: ZMQError.self) {
        try await reactor.run { try reactor.watch(fileDescriptor: -1) {} }
      }
      #expect(error?.operation == .watch)
      close(reader)
    }
  }

  @Test func stopRunsWhatIsQueuedAndEndsInTheMiddleOfAFlood() async throws {
    let context = try ZMQContext()
    let reactor = try Reactor(name: "busy")
    let flood = Flood(context, reactor)
    try await flood.begin(inFlight: 1000)
    let log = Log<Int>()
    for number in 0..<1000 { reactor.post { log.append(number) } }
    reactor.stop()
    await reactor.join()
    await reactor.join()
    #expect(log.all == Array(0..<1000))
    #expect(await context.terminate(within: .seconds(10)))
  }

  @Test func workAfterStopStillRunsInOrderAndFindsSocketsClosed() async throws {
    let context = try ZMQContext()
    let reactor = try Reactor(name: "stopped")
    let peer = TestPeer(context, reactor)
    try await peer.open(.dealer)
    reactor.stop()
    await reactor.join()
    let error = await #expect(throws: ZMQError.self) { try await peer.send("late") }
    #expect(error?.code == .closed)
    let reopened = await #expect(throws: ZMQError.self) { try await peer.open(.dealer) }
    #expect(reopened?.code == .closed)
    let log = Log<Int>()
    for number in 0..<10_000 { reactor.post { log.append(number) } }
    try await reactor.run {}
    #expect(log.all == Array(0..<10_000))
    #expect(await context.terminate(within: .seconds(10)))
  }

  @Test func workThatNeverEndsDoesNotHoldUpTheStop() async throws {
    let reactor = try Reactor(name: "endless")
    let ends = Atomic<Bool>(false)
    @Sendable func again() {
      if !ends.load(ordering: .relaxed) { reactor.post { again() } }
    }
    again()
    reactor.stop()
    await reactor.join()
    ends.store(true, ordering: .relaxed)
  }

  @Test func waitingForItsOwnEndTraps() async {
    await #expect(processExitsWith: .failure) {
      let reactor = try Reactor(name: "itself")
      try await reactor.run { reactor.join() }
    }
  }

  @Test func noWakeUpIsLostInTenThousandSchedules() async throws {
    try await withReactor { context, reactor in
      let other = try Reactor(name: "other")
      let left = TestPeer(context, reactor)
      let right = TestPeer(context, other)
      try await left.open(.dealer)
      try await right.open(.dealer)
      try await right.connect(try await left.bind("tcp://127.0.0.1:*"))
      for schedule in 0..<10_000 {
        // Sends from the receiving socket come between: they can swallow its wake-up.
        let (there, back) = (Int.random(in: 1...8), Int.random(in: 0...4))
        async let sent: Void = right.burst(there, schedule)
        try await left.burst(back, schedule)
        try await sent
        for _ in 0..<there { #expect(try await left.nextTexts() == ["\(schedule)"]) }
        for _ in 0..<back { #expect(try await right.nextTexts() == ["\(schedule)"]) }
      }
      other.stop()
      await other.join()
    }
  }
}

extension TestPeer {
  fileprivate func burst(_ count: Int, _ number: Int) throws {
    for _ in 0..<count { _ = try send("\(number)") }
  }
}

private final class Log<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  var all: [Element] { elements.withLock { $0 } }
  func append(_ element: Element) { elements.withLock { $0.append(element) } }
}

private actor Counter {
  nonisolated let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }
  var count = 0
  private var waiting: CheckedContinuation<Int, Never>?

  init(_ reactor: Reactor) { self.reactor = reactor }

  var threadName: String? {
    let line = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    return line?.trimmingCharacters(in: .newlines)
  }

  nonisolated func increment() { assumeIsolated { $0.count += 1 } }

  func schedule() {
    reactor.schedule(after: .milliseconds(1)) {
      self.assumeIsolated { $0.count += 1 }
      self.waiting?.resume(returning: self.count)
      self.waiting = nil
    }
  }

  func fired() async -> Int {
    if count == 2 { return count }
    return await withCheckedContinuation { waiting = $0 }
  }
}

/// Two sockets that throw messages at each other without end.
private actor Flood {
  nonisolated let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }
  private let context: ZMQContext
  private var sockets: [ZMQSocket] = []
  private var messages = 0
  private var isOn = true
  private var atNextMessage: (() -> Void)?

  init(_ context: ZMQContext, _ reactor: Reactor) {
    self.context = context
    self.reactor = reactor
  }

  func begin(inFlight: Int) throws {
    let endpoint = "inproc://\(UUID())"
    for _ in 0..<2 {
      let socket = try ZMQSocket(.pair, options: .unbounded, context: context, reactor: reactor)
      try reactor.add(socket) { socket, message in
        self.messages += 1
        self.atNextMessage?()
        self.atNextMessage = nil
        if self.isOn, case .success(let frames) = message { _ = try? socket.send(frames) }
      }
      sockets.append(socket)
    }
    _ = try sockets[0].bind(endpoint)
    try sockets[1].connect(endpoint)
    for _ in 0..<inFlight { _ = try sockets[0].send([Data("ball".utf8)]) }
  }

  func end() { isOn = false }

  /// How many messages come between posting a job in the middle of the flood and its turn.
  func messagesBeforeAJob() async throws -> Int {
    await withCheckedContinuation { continuation in
      atNextMessage = {
        let before = self.messages
        self.reactor.post { self.assumeIsolated { continuation.resume(returning: $0.messages - before) } }
      }
    }
  }

  func messagesBeforeATimer() async throws -> Int {
    await withCheckedContinuation { continuation in
      atNextMessage = {
        let before = self.messages
        self.reactor.schedule(after: .zero) { continuation.resume(returning: self.messages - before) }
      }
    }
  }
}
