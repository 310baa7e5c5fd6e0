import Synchronization

/// What all loops of a server share.
final class HTTPServerState: Sendable {
  let limits: HTTPServerLimits
  let isTLS: Bool
  let handler: HTTPHandler
  let report: @Sendable (String) -> Void

  let openConnections = Atomic<Int>(0)
  let acceptedConnections = Atomic<Int>(0)
  let refusedConnections = Atomic<Int>(0)
  let requests = Atomic<Int>(0)
  let refusedRequests = Atomic<Int>(0)

  init(
    limits: HTTPServerLimits, isTLS: Bool, handler: @escaping HTTPHandler, report: @escaping @Sendable (String) -> Void
  ) {
    self.limits = limits
    self.isTLS = isTLS
    self.handler = handler
    self.report = report
  }
}
