package import Foundation

/// What an xpub receives when a peer's subscriptions change.
package enum ZMQSubscriptionChange: Hashable, Sendable {
  case subscribe(Data)
  case unsubscribe(Data)

  /// Nil for anything else that a peer may send.
  package init?(_ message: [Data]) {
    guard message.count == 1, let first = message[0].first else { return nil }
    switch first {
    case 1: self = .subscribe(Data(message[0].dropFirst()))
    case 0: self = .unsubscribe(Data(message[0].dropFirst()))
    default: return nil
    }
  }

  package var topic: Data {
    switch self {
    case .subscribe(let topic), .unsubscribe(let topic): topic
    }
  }

  /// As it travels: 1 or 0, and the topic.
  package var frame: Data {
    switch self {
    case .subscribe(let topic): [1] + topic
    case .unsubscribe(let topic): [0] + topic
    }
  }
}
