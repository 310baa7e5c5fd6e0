import Foundation
import Wire

/// A client node's three sockets. Used on the node's reactor alone.
final class ClientSockets {
  private let store: ZMQSocket
  private let control: ZMQSocket
  private let events: ZMQSocket
  private var eventsEndpoint: String?

  /// Frames beyond this make libzmq drop the connection. A snapshot of 50,000 transactions fits.
  static let maximumMessageBytes = 64 << 20
  /// Requests that wait for a slow server. Beyond it a request is not sent now but at its next attempt.
  private static let requestsQueued = 10_000
  /// Events that wait while the node is busy. Beyond it events are lost, which the phones notice and repair.
  private static let eventsQueued = 100_000

  /// Connects in the background; a server that is not there yet is no error.
  init(
    requests endpoint: String, context: ZMQContext, reactor: Reactor,
    received: @escaping (ClientLink, [Data]) -> Void, connected: @escaping (ClientLink) -> Void,
    event: @escaping ([Data]) -> Void, log: @escaping @Sendable (String) -> Void
  ) throws(ZMQError) {
    var options = ZMQSocketOptions(
      sendHighWaterMark: ClientSockets.requestsQueued, receiveHighWaterMark: ClientSockets.requestsQueued)
    options.maxMessageSize = ClientSockets.maximumMessageBytes
    // Three connections a phone, and each ping wakes a thread at both ends: no oftener than it takes.
    options.heartbeat = .init(interval: .seconds(2), timeout: .seconds(3), timeToLive: .seconds(6))
    options.reconnect = .init(interval: .milliseconds(50), maximum: .seconds(2))
    // A server that comes back may have another address under its name.
    options.connectTimeout = .seconds(3)
    options.handshakeInterval = .seconds(5)
    // Nothing queues for a connection that is not there: it is asked again once it is.
    options.immediate = true
    let sockets = (
      store: try ZMQSocket(.dealer, options: options, context: context, reactor: reactor),
      control: try ZMQSocket(.dealer, options: options, context: context, reactor: reactor)
    )
    for (link, socket) in [(ClientLink.store, sockets.store), (.control, sockets.control)] {
      try ZMQMonitor(socket) { event in
        switch event.kind {
        case .handshakeSucceeded: connected(link)
        case .handshakeFailedProtocol, .handshakeFailedAuthentication:
          log("\(event.endpoint) does not speak as a Storefleet server does: check the endpoint")
        default: break
        }
      }
      try socket.connect(endpoint)
      try reactor.add(socket) { _, message in
        switch message {
        case .success(let frames): received(link, frames)
        case .failure(let error): log("a message from the server was dropped: \(error)")
        }
      }
    }
    var subscriber = options
    subscriber.immediate = false
    subscriber.receiveHighWaterMark = ClientSockets.eventsQueued
    let events = try ZMQSocket(.sub, options: subscriber, context: context, reactor: reactor)
    try reactor.add(events) { _, message in
      switch message {
      case .success(let frames): event(frames)
      case .failure(let error): log("an event was dropped: \(error)")
      }
    }
    store = sockets.store
    control = sockets.control
    self.events = events
  }

  /// - Returns: false when the connection takes nothing now; what is not sent is asked again later.
  func send(_ frames: [Data], on link: ClientLink) throws(ZMQError) -> Bool {
    switch link {
    case .store: try store.send(frames)
    case .control: try control.send(frames)
    }
  }

  func connectEvents(_ endpoint: String) throws(ZMQError) {
    guard endpoint != eventsEndpoint else { return }
    try events.connect(endpoint)
    // The server came back at another address: subscriptions go along.
    if let old = eventsEndpoint { try events.disconnect(old) }
    eventsEndpoint = endpoint
  }

  func subscribe(_ topic: String) throws(ZMQError) { try events.subscribe(Data(topic.utf8)) }

  func unsubscribe(_ topic: String) throws(ZMQError) { try events.unsubscribe(Data(topic.utf8)) }

  func close() {
    for socket in [store, control, events] { socket.close() }
  }
}
