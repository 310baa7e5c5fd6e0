package import Foundation
package import Wire

/// A control connection to a fleet: asks actors, wherever they live, and follows events.
///
/// A question that gets no answer in time is asked again with the same request id, so that it is done once; so is one
/// whose answer says that it may work later.
package actor FleetConnection {
  nonisolated let reactor: Reactor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let context: ZMQContext
  private let ownsContext: Bool
  private let endpoint: String
  private let hello: Hello
  private var requests: ZMQSocket?
  private var subscriber: ZMQSocket?
  private var pending: [RequestID: PendingRequest] = [:]

  private struct PendingRequest {
    var request: RequestFrames
    var deadline: ContinuousClock.Instant
    var continuation: CheckedContinuation<ReplyFrames, any Error>
    /// When it is sent again.
    var again: TimerToken?
  }

  private var followers: [Int: Follower] = [:]
  private var nextFollower = 0
  private var echo: (topic: String, continuation: CheckedContinuation<Void, any Error>)?

  /// `context` is shared when the server node lives in the same process.
  package init(
    endpoint: String, token: String, node: String = "control-\(ProcessInfo.processInfo.processIdentifier)",
    context: ZMQContext? = nil
  ) throws(ZMQError) {
    self.endpoint = endpoint
    hello = Hello(node: node, role: .control, token: token)
    ownsContext = context == nil
    self.context = if let context { context } else { try ZMQContext() }
    reactor = try Reactor(name: "control")
  }

  /// Connects and introduces itself; waits for the server node up to `timeout`. With `followsEvents`, everything that is
  /// published of the world reaches `events()` once this has returned.
  @discardableResult
  package func open(
    world: String, followsEvents: Bool = true, timeout: Duration = .seconds(10)
  ) async throws -> Hello.Reply {
    // A control connection has few questions on their way at a time: nothing here needs a bound.
    var options = ZMQSocketOptions(sendHighWaterMark: 0, receiveHighWaterMark: 0)
    options.linger = .zero
    options.reconnect = .init(interval: .milliseconds(20), maximum: .seconds(1))
    options.connectTimeout = .seconds(3)
    let requests = try ZMQSocket(.dealer, options: options, context: context, reactor: reactor)
    try reactor.add(requests) { [weak self] _, message in
      self?.assumeIsolated { $0.received(message) }
    }
    try requests.connect(endpoint)
    self.requests = requests
    let server = ActorAddress(world: world, kind: .node, key: "server")
    let reply = try await ask(hello, of: server, timeout: timeout)
    guard followsEvents else { return reply }
    let subscriber = try ZMQSocket(.sub, options: options, context: context, reactor: reactor)
    try reactor.add(subscriber) { [weak self] _, message in
      self?.assumeIsolated { $0.published(message) }
    }
    let events = reply.eventsEndpoint(reachedThrough: endpoint)
    try subscriber.connect(events)
    self.subscriber = subscriber
    try subscriber.subscribe(Data("\(world)/".utf8))
    // Subscriptions of one socket arrive in order: the echo of this one says that the one before counts.
    let sentinel = ActorAddress(world: world, kind: .node, key: hello.node).topic
    let tooLate = reactor.schedule(after: timeout) { [weak self] in
      self?.assumeIsolated {
        $0.giveUpEcho(
          WireError(
            .deadlineExceeded,
            "no events come from \(events), though \($0.endpoint) answers: can it be reached from here?"))
      }
    }
    defer { reactor.cancel(tooLate) }
    try await withCheckedThrowingContinuation { awaitEcho(sentinel, $0) }
    return reply
  }

  private func awaitEcho(_ topic: String, _ continuation: CheckedContinuation<Void, any Error>) {
    echo = (topic, continuation)
    try? subscriber?.subscribe(Data(topic.utf8))
  }

  private func giveUpEcho(_ error: WireError) {
    echo?.continuation.resume(throwing: error)
    echo = nil
  }

  package func close() {
    reactor.stop()
    let closed = WireError(.unavailable, "the connection to the fleet was closed")
    for waiting in pending.values { waiting.continuation.resume(throwing: closed) }
    pending = [:]
    followers.values.forEach { $0.finish() }
    giveUpEcho(closed)
    if ownsContext { Thread.detachNewThread { [context] in _ = context.terminate() } }
  }

  // MARK: Asking

  package func ask<Message: Request>(
    _ message: Message, of address: ActorAddress, attachments: [Data] = [], id: RequestID? = nil,
    timeout: Duration = .seconds(30)
  ) async throws -> Message.Reply {
    try await exchange(message, with: address, attachments: attachments, id: id, timeout: timeout).body
  }

  /// As `ask`, with the frames that travel beside the reply.
  package func exchange<Message: Request>(
    _ message: Message, with address: ActorAddress, attachments: [Data] = [], id: RequestID? = nil,
    timeout: Duration = .seconds(30)
  ) async throws -> Answer<Message.Reply> {
    let deadline = ContinuousClock.now + timeout
    let request = RequestFrames(
      message, to: address, id: id ?? RequestID(UUID()), attachments: attachments,
      deadlineMilliseconds: UInt32(clamping: timeout.wholeMilliseconds))
    var lastAnswer: WireError?
    while true {
      let reply: ReplyFrames
      do {
        reply = try await send(request, until: deadline)
      } catch let error as WireError where error.code == .deadlineExceeded {
        // Why it was not done says more than that the last of several attempts came too late.
        throw lastAnswer ?? error
      }
      switch reply.outcome {
      case .ok(let body):
        return Answer(try WireJSON.decode(Message.Reply.self, from: body), attachments: reply.attachments)
      case .failed(let error):
        guard error.isRetriable, error.code != .deadlineExceeded, ContinuousClock.now < deadline else { throw error }
        if error.code == .helloFirst {
          _ = try await send(
            RequestFrames(hello, to: address, id: RequestID(UUID())), until: deadline)
        } else {
          lastAnswer = error
          try await Task.sleep(for: .milliseconds(100))
        }
      }
    }
  }

  private func send(_ request: RequestFrames, until deadline: ContinuousClock.Instant) async throws -> ReplyFrames {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        pending[request.id] = PendingRequest(request: request, deadline: deadline, continuation: continuation)
        transmit(request.id)
      }
    } onCancel: {
      reactor.post { self.assumeIsolated { $0.take(request.id)?.resume(throwing: CancellationError()) } }
    }
  }

  /// Sends a request, and again while there is no answer: the server may have been killed with it in its hands.
  private func transmit(_ id: RequestID) {
    guard let waiting = pending[id] else { return }
    _ = try? requests?.send(waiting.request.frames)
    let left = waiting.deadline - ContinuousClock.now
    pending[id]?.again = reactor.schedule(after: min(left, .seconds(1))) { [weak self] in
      self?.assumeIsolated { $0.retry(id) }
    }
  }

  private func retry(_ id: RequestID) {
    guard let waiting = pending[id] else { return }
    guard ContinuousClock.now >= waiting.deadline else { return transmit(id) }
    let request = waiting.request
    take(id)?.resume(
      throwing: WireError(
        .deadlineExceeded,
        "\(request.address) did not answer '\(request.name)' in time: is the fleet at \(endpoint) still running?"))
  }

  /// The one who waits for an answer, who now gets one.
  private func take(_ id: RequestID) -> CheckedContinuation<ReplyFrames, any Error>? {
    guard let waiting = pending.removeValue(forKey: id) else { return nil }
    if let again = waiting.again { reactor.cancel(again) }
    return waiting.continuation
  }

  private func received(_ message: Result<[Data], ZMQError>) {
    guard case .success(let frames) = message, let reply = try? ReplyFrames(frames: frames), let id = reply.id else {
      return
    }
    take(id)?.resume(returning: reply)
  }

  // MARK: Following

  private struct Follower {
    var yield: @Sendable (EventFrames) -> Void
    var finish: @Sendable () -> Void
  }

  /// What is published of the world from now on, for a connection that follows events. Ends with the connection.
  package nonisolated func events() -> AsyncStream<EventFrames> {
    // Unbounded on purpose: a person's view or a test must not lose events while it is busy.
    let (stream, continuation) = AsyncStream.makeStream(of: EventFrames.self)
    follow(continuation, Follower(yield: { continuation.yield($0) }, finish: { continuation.finish() }))
    return stream
  }

  /// An element after each event, from now on; several may come as one.
  package nonisolated func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    follow(continuation, Follower(yield: { _ in continuation.yield() }, finish: { continuation.finish() }))
    return stream
  }

  private nonisolated func follow<Element>(
    _ continuation: AsyncStream<Element>.Continuation, _ follower: Follower
  ) {
    reactor.post {
      self.assumeIsolated { connection in
        let number = connection.add(follower)
        continuation.onTermination = { [weak self] _ in
          guard let self else { return }
          reactor.post { self.assumeIsolated { $0.followers[number] = nil } }
        }
      }
    }
  }

  private func add(_ follower: Follower) -> Int {
    nextFollower += 1
    followers[nextFollower] = follower
    return nextFollower
  }

  private func published(_ message: Result<[Data], ZMQError>) {
    guard case .success(let frames) = message, let event = try? EventFrames(frames: frames) else { return }
    if event.name == AccountUpdate.subscribed {
      guard let waiting = echo, waiting.topic == event.topic else { return }
      echo = nil
      return waiting.continuation.resume()
    }
    for follower in followers.values { follower.yield(event) }
  }
}

extension FleetConnection: ActorAsker {
  package nonisolated func ask<R: Request>(
    _ request: R, of address: ActorAddress, attachments: [Data]
  ) async throws -> R.Reply {
    try await ask(request, of: address, attachments: attachments, id: nil)
  }
}
