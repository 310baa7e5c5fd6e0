internal import CZeroMQ
internal import Glibc

/// What libzmq or the system refused, with the sentence that a person sees.
package struct ZMQError: Error, Hashable, Sendable {
  package let code: Code
  /// What was being done.
  package let operation: Operation
  /// Where, when there is a where: an endpoint as libzmq writes it.
  package let endpoint: String?
  /// The reason, where it says more than the code does.
  private let reason: String?

  init(_ code: Code, _ operation: Operation, endpoint: String? = nil, reason: String? = nil) {
    self.code = code
    self.operation = operation
    self.endpoint = endpoint
    self.reason = reason
  }

  /// The error that libzmq or the system left in this thread's `errno`.
  static func last(_ operation: Operation, endpoint: String? = nil) -> ZMQError {
    ZMQError(Code(rawValue: zmq_errno()), operation, endpoint: endpoint)
  }

  /// An `errno`, libzmq's own numbers included.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let addressInUse = Code(rawValue: EADDRINUSE)
    package static let addressNotAvailable = Code(rawValue: EADDRNOTAVAIL)
    package static let noSuchInterface = Code(rawValue: ENODEV)
    package static let pathTooLong = Code(rawValue: ENAMETOOLONG)
    package static let notFound = Code(rawValue: ENOENT)
    package static let notPermitted = Code(rawValue: EACCES)
    package static let unknownTransport = Code(rawValue: EPROTONOSUPPORT)
    package static let invalid = Code(rawValue: EINVAL)
    package static let notSupported = Code(rawValue: ENOTSUP)
    /// No more descriptors, or no more sockets in the context.
    package static let tooManyOpenFiles = Code(rawValue: EMFILE)
    /// A `routerMandatory` router has no peer with the routing id in the first frame.
    package static let hostUnreachable = Code(rawValue: EHOSTUNREACH)
    /// A peer's message had more frames than `ZMQSocket.maximumFrames` and was dropped; the socket goes on working.
    package static let tooManyFrames = Code(rawValue: EMSGSIZE)
    /// The context was terminated.
    package static let terminated = Code(rawValue: ZMQ_HAUSNUMERO + 53)
    /// The socket was closed, or its reactor has stopped.
    package static let closed = Code(rawValue: ENOTSOCK)
  }

  package enum Operation: String, Sendable {
    case openContext = "open a ZeroMQ context"
    case openSocket = "open a ZeroMQ socket"
    case setOption = "set a ZeroMQ socket option"
    case listen = "listen on"
    case connect = "connect to"
    case disconnect = "disconnect from"
    case subscribe = "subscribe"
    case unsubscribe = "unsubscribe"
    case send = "send a message"
    case receive = "receive a message"
    case monitor = "monitor a ZeroMQ socket"
    case startReactor = "start a reactor"
    case watch = "watch a file descriptor"
  }
}

extension ZMQError: CustomStringConvertible {
  /// One sentence: what, where, why, and what to do about it.
  package var description: String {
    let place =
      switch (operation, endpoint) {
      case (_, nil): ""
      case (.listen, let endpoint?), (.connect, let endpoint?), (.disconnect, let endpoint?): " \(endpoint)"
      case (_, let endpoint?): " on \(endpoint)"
      }
    return "Cannot \(operation.rawValue)\(place): \(reason ?? reasonOfCode)."
  }

  private var reasonOfCode: String {
    switch (code, operation) {
    case (.addressInUse, _): "another socket listens there; choose another port, or * to have the system pick one"
    case (.addressNotAvailable, _): "this machine has no such address; use one of its own, for example 127.0.0.1"
    case (.noSuchInterface, _):
      "no network interface has this name or address; use one that this machine has, for example 127.0.0.1"
    case (.pathTooLong, _):
      "the path has \(ipcPathLength) bytes and ipc paths end at 107; use a shorter folder, or tcp://127.0.0.1:*"
    case (.notFound, .disconnect): "the socket is not connected there"
    case (.notFound, _): "the folder does not exist; create it first"
    case (.notPermitted, _): "this user may not; choose a port above 1023 or a folder that is writable"
    case (.unknownTransport, _): "this transport is unknown; expected tcp://, ipc:// or inproc://"
    case (.invalid, .listen), (.invalid, .connect), (.invalid, .disconnect):
      "this is not an endpoint; expected tcp://host:port, ipc://path or inproc://name"
    case (.notSupported, _): "this type of socket cannot"
    case (.tooManyOpenFiles, _): "this process has too many open files; raise the limit with ulimit -n"
    case (.hostUnreachable, _): "no peer with this routing id is connected"
    case (.terminated, _): "the ZeroMQ context was terminated"
    case (.closed, _): "the socket is closed"
    default: String(cString: zmq_strerror(code.rawValue)).lowercased()
    }
  }

  private var ipcPathLength: Int {
    guard let endpoint, endpoint.hasPrefix("ipc://") else { return endpoint?.utf8.count ?? 0 }
    return endpoint.utf8.count - "ipc://".utf8.count
  }
}
