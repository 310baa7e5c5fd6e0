/// Who receives from a socket on its reactor.
final class ZMQSocketRegistration {
  /// Names the socket's wake-up descriptor at the poller.
  let key: UInt64
  let descriptor: Int32
  let handler: ZMQSocket.Handler
  /// Whether the reactor is to look for messages without waiting for a wake-up.
  var isPending = false

  init(key: UInt64, descriptor: Int32, handler: @escaping ZMQSocket.Handler) {
    self.key = key
    self.descriptor = descriptor
    self.handler = handler
  }
}
