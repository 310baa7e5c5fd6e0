internal import CZeroMQ
package import Foundation

/// A socket of libzmq. It belongs to one reactor: every use, its creation included, is on that reactor's thread, and
/// any other use traps, in release too, since libzmq sockets break when two threads touch them.
///
/// It stays open until it is closed or its reactor stops.
package final class ZMQSocket {
  /// Gets each message that arrives, on the reactor's thread. A failure with `tooManyFrames` tells of one message that
  /// was dropped; after any other the socket gives no more messages.
  package typealias Handler = (ZMQSocket, Result<[Data], ZMQError>) -> Void

  /// More frames than any message of ours has; a message beyond is drained and reported.
  package static let maximumFrames = Frames.maximumCount

  package let kind: ZMQSocketKind
  package let reactor: Reactor
  let context: ZMQContext
  private var pointer: UnsafeMutableRawPointer?
  /// Received frames pass through here; libzmq wants its messages to stay where they are.
  let scratch: UnsafeMutablePointer<zmq_msg_t>
  /// Where the socket last bound or connected to, for error sentences.
  private(set) var endpoint: String?
  /// Who gets the messages, once the socket was added to its reactor.
  var registration: ZMQSocketRegistration?
  var monitor: ZMQMonitor?

  package init(
    _ kind: ZMQSocketKind, options: ZMQSocketOptions, context: ZMQContext, reactor: Reactor
  ) throws(ZMQError) {
    reactor.checkIsolated()
    guard !reactor.hasClosedSockets else { throw ZMQError(.closed, .openSocket, reason: "the reactor has stopped") }
    let pointer = try context.openSocket(kind)
    self.kind = kind
    self.reactor = reactor
    self.context = context
    self.pointer = pointer
    scratch = .allocate(capacity: 1)
    zmq_msg_init(scratch)
    do {
      try apply(options, to: pointer)
    } catch {
      context.closeSocket(pointer)
      throw error
    }
    reactor.opened(self)
  }

  deinit {
    // The reactor holds every open socket, so this one is closed, or never became usable.
    zmq_msg_close(scratch)
    scratch.deallocate()
  }

  /// Listens on `endpoint`.
  /// - Returns: where it really listens: `tcp://127.0.0.1:*` gets a port that the system picked.
  package func bind(_ endpoint: String) throws(ZMQError) -> String {
    let pointer = try open(.listen)
    try checkPort(of: endpoint, .listen)
    guard zmq_bind(pointer, endpoint) == 0 else { throw .last(.listen, endpoint: endpoint) }
    touched()
    let actual = lastEndpoint(pointer) ?? endpoint
    self.endpoint = actual
    return actual
  }

  /// Connects in the background, and again whenever the connection is lost; a peer that is not there is no error.
  package func connect(_ endpoint: String) throws(ZMQError) {
    let pointer = try open(.connect)
    try checkPort(of: endpoint, .connect)
    guard zmq_connect(pointer, endpoint) == 0 else { throw .last(.connect, endpoint: endpoint) }
    touched()
    self.endpoint = endpoint
  }

  /// libzmq takes only the lower 16 bits of a port, and would listen at another one than was asked for.
  private func checkPort(of endpoint: String, _ operation: ZMQError.Operation) throws(ZMQError) {
    guard endpoint.hasPrefix("tcp://"), let port = endpoint.split(separator: ":").last,
      port.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), UInt16(port) == nil
    else { return }
    throw ZMQError(.invalid, operation, endpoint: endpoint, reason: "there is no port \(port); ports end at 65535")
  }

  package func disconnect(_ endpoint: String) throws(ZMQError) {
    let pointer = try open(.disconnect)
    guard zmq_disconnect(pointer, endpoint) == 0 else { throw .last(.disconnect, endpoint: endpoint) }
    touched()
  }

  /// Closes at once; what was sent is handed over in the background for as long as the socket lingers.
  package func close() {
    reactor.checkIsolated()
    guard let pointer else { return }
    // In this order: libzmq would wait for ever for the reader of a monitor that has gone.
    monitor?.stop()
    reactor.closed(self)
    self.pointer = nil
    context.closeSocket(pointer)
  }

  /// The pointer, after the checks that every use makes.
  func open(_ operation: ZMQError.Operation) throws(ZMQError) -> UnsafeMutableRawPointer {
    reactor.checkIsolated()
    guard let pointer else { throw ZMQError(.closed, operation, endpoint: endpoint) }
    return pointer
  }

  /// Any call into libzmq may consume the wake-up for messages that wait to be received, so the reactor has to look
  /// before it sleeps again.
  func touched() {
    guard let registration, !registration.isPending else { return }
    registration.isPending = true
    reactor.look(at: self)
  }

  /// Becomes readable when libzmq has something to tell about this socket.
  var wakeDescriptor: Int32 {
    get throws(ZMQError) {
      let pointer = try open(.receive)
      var descriptor: Int32 = -1
      var size = MemoryLayout<Int32>.size
      guard zmq_getsockopt(pointer, ZMQ_FD, &descriptor, &size) == 0 else { throw .last(.receive) }
      return descriptor
    }
  }

  private func lastEndpoint(_ pointer: UnsafeMutableRawPointer) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { buffer in
      var size = buffer.count
      guard zmq_getsockopt(pointer, ZMQ_LAST_ENDPOINT, buffer.baseAddress, &size) == 0, size > 0 else { return nil }
      return String(decoding: buffer[..<(size - 1)], as: UTF8.self)
    }
  }
}
