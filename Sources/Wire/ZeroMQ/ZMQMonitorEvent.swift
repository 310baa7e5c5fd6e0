internal import CZeroMQ
internal import Foundation

/// Something that happened to a connection of a monitored socket. Messages never tell: libzmq drops and makes
/// connections behind the scenes.
package struct ZMQMonitorEvent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case connected
    /// The connection is being made.
    case connectDelayed
    case connectRetried(after: Duration)
    case listening
    case bindFailed(ZMQError.Code)
    case accepted
    case acceptFailed(ZMQError.Code)
    case closed
    case closeFailed(ZMQError.Code)
    /// The peer went, or was dropped, for example for a frame above `maxMessageSize`.
    case disconnected
    case handshakeSucceeded
    case handshakeFailed(ZMQError.Code)
    /// The peer does not speak ZMTP as it should; libzmq's number for how.
    case handshakeFailedProtocol(UInt32)
    /// The peer was not let in; ZAP's status code.
    case handshakeFailedAuthentication(status: UInt32)
    /// An event that this build does not know.
    case other(event: UInt16, value: UInt32)
  }

  package let kind: Kind
  package let endpoint: String

  package init(_ kind: Kind, endpoint: String) {
    self.kind = kind
    self.endpoint = endpoint
  }

  /// Reads the two frames that libzmq sends: event and value in the machine's byte order, and the endpoint.
  init?(_ frames: [Data]) {
    guard frames.count == 2, frames[0].count == 6 else { return nil }
    let (event, value) = frames[0].withUnsafeBytes {
      ($0.loadUnaligned(as: UInt16.self), $0.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
    }
    endpoint = String(decoding: frames[1], as: UTF8.self)
    let code = ZMQError.Code(rawValue: Int32(truncatingIfNeeded: value))
    kind =
      switch Int32(event) {
      case ZMQ_EVENT_CONNECTED: .connected
      case ZMQ_EVENT_CONNECT_DELAYED: .connectDelayed
      case ZMQ_EVENT_CONNECT_RETRIED: .connectRetried(after: .milliseconds(Int64(value)))
      case ZMQ_EVENT_LISTENING: .listening
      case ZMQ_EVENT_BIND_FAILED: .bindFailed(code)
      case ZMQ_EVENT_ACCEPTED: .accepted
      case ZMQ_EVENT_ACCEPT_FAILED: .acceptFailed(code)
      case ZMQ_EVENT_CLOSED: .closed
      case ZMQ_EVENT_CLOSE_FAILED: .closeFailed(code)
      case ZMQ_EVENT_DISCONNECTED: .disconnected
      case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: .handshakeSucceeded
      case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: .handshakeFailed(code)
      case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: .handshakeFailedProtocol(value)
      case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: .handshakeFailedAuthentication(status: value)
      default: .other(event: event, value: value)
      }
  }
}
