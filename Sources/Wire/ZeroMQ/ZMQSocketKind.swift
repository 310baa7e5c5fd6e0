internal import CZeroMQ

/// The pattern that a socket speaks.
package enum ZMQSocketKind: Sendable {
  /// Takes requests of many dealers; the first frame names the peer.
  case router
  /// Sends requests without waiting for replies.
  case dealer
  case pub
  /// Publishes, and receives the subscriptions of its peers as messages.
  case xpub
  case sub
  /// Subscribes by messages, so that they can be forwarded.
  case xsub
  /// Exactly one peer; what monitors use.
  case pair

  var rawValue: Int32 {
    switch self {
    case .router: ZMQ_ROUTER
    case .dealer: ZMQ_DEALER
    case .pub: ZMQ_PUB
    case .xpub: ZMQ_XPUB
    case .sub: ZMQ_SUB
    case .xsub: ZMQ_XSUB
    case .pair: ZMQ_PAIR
    }
  }
}
