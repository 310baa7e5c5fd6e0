import Foundation
import Wire

/// An actor on a reactor with one socket: what a test sends and awaits.
actor TestPeer {
  nonisolated let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let context: ZMQContext
  private var socket: ZMQSocket?
  private var received: [Result<[Data], ZMQError>] = []
  private var waiting: [CheckedContinuation<[Data], any Error>] = []
  private var events: [ZMQMonitorEvent] = []
  private var waitingForEvent: (kind: ZMQMonitorEvent.Kind, continuation: CheckedContinuation<ZMQMonitorEvent, Never>)?

  init(_ context: ZMQContext, _ reactor: Reactor) {
    self.context = context
    self.reactor = reactor
  }

  /// Opens the socket. Messages go to `answer` when there is one, else they wait for `next`.
  func open(
    _ kind: ZMQSocketKind, _ options: ZMQSocketOptions = .unbounded, monitored: Bool = false,
    answer: (@Sendable ([Data]) -> [Data])? = nil
  ) throws {
    let socket = try ZMQSocket(kind, options: options, context: context, reactor: reactor)
    self.socket = socket
    if monitored { try ZMQMonitor(socket) { event in self.happened(event) } }
    guard kind != .pub else { return }
    try reactor.add(socket) { socket, message in
      if let answer, case .success(let frames) = message {
        _ = try? socket.send(answer(frames))
      } else {
        self.deliver(message)
      }
    }
  }

  func bind(_ endpoint: String) throws -> String { try opened.bind(endpoint) }
  func connect(_ endpoint: String) throws { try opened.connect(endpoint) }
  func disconnect(_ endpoint: String) throws { try opened.disconnect(endpoint) }
  func subscribe(_ topic: String) throws { try opened.subscribe(Data(topic.utf8)) }
  func unsubscribe(_ topic: String) throws { try opened.unsubscribe(Data(topic.utf8)) }
  func send(_ frames: [Data]) throws -> Bool { try opened.send(frames) }
  func send(_ text: String...) throws -> Bool { try opened.send(text.map { Data($0.utf8) }) }
  func close() { socket?.close() }

  /// The next message that was received or will be.
  func next() async throws -> [Data] {
    if !received.isEmpty { return try received.removeFirst().get() }
    return try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  func nextTexts() async throws -> [String] {
    try await next().map { String(decoding: $0, as: UTF8.self) }
  }

  /// Waits until the monitor tells of `kind`.
  func event(_ kind: ZMQMonitorEvent.Kind) async -> ZMQMonitorEvent {
    if let event = events.first(where: { $0.kind == kind }) { return event }
    return await withCheckedContinuation { waitingForEvent = (kind, $0) }
  }

  private var opened: ZMQSocket {
    get throws {
      guard let socket else { throw NotOpen() }
      return socket
    }
  }

  private func deliver(_ message: Result<[Data], ZMQError>) {
    if waiting.isEmpty {
      received.append(message)
    } else {
      waiting.removeFirst().resume(with: message.mapError { $0 })
    }
  }

  private func happened(_ event: ZMQMonitorEvent) {
    events.append(event)
    guard let waiting = waitingForEvent, waiting.kind == event.kind else { return }
    waitingForEvent = nil
    waiting.continuation.resume(returning: event)
  }

  private struct NotOpen: Error {}
}

extension ZMQSocketOptions {
  static let unbounded = ZMQSocketOptions(sendHighWaterMark: 0, receiveHighWaterMark: 0)

  static func unbounded(_ change: (inout ZMQSocketOptions) -> Void) -> ZMQSocketOptions {
    var options = unbounded
    change(&options)
    return options
  }
}
