import ClientNode

extension Product.SubscriptionInfo.Status {
  /// A sequence of statuses of the device on which it was asked for. Never ends by itself.
  public struct Statuses: AsyncSequence, Sendable {
    public typealias Element = Product.SubscriptionInfo.Status
    public typealias Failure = Never

    let daemon: any StoreDaemon

    /// Listens from now on.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(stream: daemon.statusUpdates(), daemon: daemon)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      let stream: DaemonStream<SignedStatus>
      let daemon: any StoreDaemon

      public mutating func next() async -> Product.SubscriptionInfo.Status? { await next(isolation: #isolation) }

      public mutating func next(isolation actor: isolated (any Actor)?) async -> Product.SubscriptionInfo.Status? {
        await stream.next().map { Product.SubscriptionInfo.Status($0, on: daemon) }
      }
    }
  }
}
