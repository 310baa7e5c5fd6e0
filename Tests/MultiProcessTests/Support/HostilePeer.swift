import Fleet
import FleetTesting
import Foundation
import Wire

/// A peer of the server process that sends whatever bytes a test wants.
actor HostilePeer {
  nonisolated let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let context: ZMQContext
  private var socket: ZMQSocket?
  private var waiting: CheckedContinuation<ReplyFrames, any Error>?
  private nonisolated let disconnections = AsyncStream.makeStream(of: Void.self)

  init(_ fleet: FleetTesting.Fleet) async throws {
    context = try ZMQContext()
    reactor = try Reactor(name: "hostile")
    guard let endpoint = await fleet.processes.endpoints?.requests else { throw Overdue(description: "no server") }
    try connect(endpoint)
  }

  deinit {
    reactor.stop()
    Thread.detachNewThread { [context] in _ = context.terminate() }
  }

  private func connect(_ endpoint: String) throws {
    var options = ZMQSocketOptions(sendHighWaterMark: 0, receiveHighWaterMark: 0)
    options.linger = .zero
    options.reconnect = .init(interval: .milliseconds(20))
    let socket = try ZMQSocket(.dealer, options: options, context: context, reactor: reactor)
    let disconnection = disconnections.continuation
    _ = try ZMQMonitor(socket) { event in
      if event.kind == .disconnected { disconnection.yield() }
    }
    try reactor.add(socket) { [unowned self] _, message in
      guard let answer = waiting, case .success(let frames) = message else { return }
      waiting = nil
      answer.resume(with: Result { try ReplyFrames(frames: frames) })
    }
    try socket.connect(endpoint)
    self.socket = socket
  }

  func send(_ frames: [Data]) throws { _ = try socket?.send(frames) }

  /// Sends a message and waits for the next reply.
  nonisolated func ask(_ frames: [Data]) async throws -> ReplyFrames {
    try await inTime("a reply to \(frames.map(\.count))") { try await self.exchange(frames) }
  }

  private func exchange(_ frames: [Data]) async throws -> ReplyFrames {
    try send(frames)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting = $0 }
    } onCancel: {
      reactor.post { self.assumeIsolated { $0.giveUp() } }
    }
  }

  private func giveUp() {
    waiting?.resume(throwing: CancellationError())
    waiting = nil
  }

  nonisolated func introduce(token: String) async throws {
    let hello = Hello(node: "hostile", role: .control, token: token)
    let server = ActorAddress(world: "main", kind: .node, key: "server")
    if case .failed(let error) = try await ask(RequestFrames(hello, to: server, id: RequestID(UUID())).frames).outcome {
      throw error
    }
  }

  /// Returns when the server has ended the connection.
  nonisolated func disconnected() async throws {
    let disconnections = disconnections.stream
    try await inTime("the end of the connection") {
      for await _ in disconnections { return }
    }
  }
}
