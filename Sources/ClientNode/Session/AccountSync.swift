import Shared
import Wire

/// What the devices of one account on this node share: the subscription, and the requests that bring them up to date.
struct AccountSync: Sendable {
  let address: ActorAddress
  let devices: [String]
  /// The highest position of the account that anything told of.
  var head = StreamPosition.start
  /// Whether the server has echoed the subscription: from then on the topic misses nothing.
  var isSubscribed = false
  var subscriptionAttempts = 0
  var catchUp: RequestID?
  var copies: RequestID?
  /// Catch-ups in a row that brought nobody further.
  var stalls = 0

  init(address: ActorAddress, devices: [String]) {
    self.address = address
    self.devices = devices
  }

  mutating func heard(_ position: StreamPosition) { head = max(head, position) }
}
