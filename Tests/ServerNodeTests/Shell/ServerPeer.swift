import Foundation
import Shared
import Testing
import Wire

/// A client of a real server node: one DEALER socket, and the same id again when the node says that it may work later.
actor ServerPeer {
  nonisolated let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let context: ZMQContext
  private var socket: ZMQSocket?
  private var waiting: [RequestID: CheckedContinuation<ReplyFrames, any Error>] = [:]
  private var isClosed = false

  init(_ context: ZMQContext) throws {
    self.context = context
    reactor = try Reactor(name: "peer")
  }

  func open(_ endpoint: String) async throws {
    var options = ZMQSocketOptions(sendHighWaterMark: 0, receiveHighWaterMark: 0)
    options.linger = .zero
    let socket = try ZMQSocket(.dealer, options: options, context: context, reactor: reactor)
    try reactor.add(socket) { [unowned self] _, message in received(message) }
    try socket.connect(endpoint)
    self.socket = socket
    _ = try await ask(Hello(node: "peer", role: .control, token: ""), of: "w/node/server")
  }

  /// Whoever still waits gets an error.
  func close() {
    isClosed = true
    socket?.close()
    waiting.values.forEach { $0.resume(throwing: CancellationError()) }
    waiting = [:]
    reactor.stop()
  }

  @discardableResult
  func ask<Message: Request>(
    _ message: Message, of address: String, id: RequestID = RequestID(UUID())
  ) async throws -> Message.Reply {
    let address = try #require(ActorAddress(address))
    guard !isClosed, let socket else { throw CancellationError() }
    let reply: ReplyFrames = try await withCheckedThrowingContinuation { continuation in
      waiting[id] = continuation
      do { _ = try socket.send(RequestFrames(message, to: address, id: id).frames) } catch {
        waiting.removeValue(forKey: id)?.resume(throwing: error)
      }
    }
    switch reply.outcome {
    case .ok(let body): return try WireJSON.decode(Message.Reply.self, from: body)
    case .failed(let error): throw error
    }
  }

  private func received(_ message: Result<[Data], ZMQError>) {
    guard case .success(let frames) = message, let reply = try? ReplyFrames(frames: frames), let id = reply.id else {
      return
    }
    waiting.removeValue(forKey: id)?.resume(returning: reply)
  }
}
