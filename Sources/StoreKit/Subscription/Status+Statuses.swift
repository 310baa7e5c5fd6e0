import ClientNode

extension Product.SubscriptionInfo.Status {
  /// A sequence of statuses of the device on which it was asked for. Never ends by itself.
  public struct Statuses: AsyncSequence, Sendable {
    public typealias Element = Product.SubscriptionInfo.Status
    public typealias Failure = Never

    let daemon: (any StoreDaemon)?

    /// Listens from now on.
    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(statuses: DeviceListener(to: daemon) { $0.statusUpdates() })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      var statuses: DeviceListener<SignedStatus>

      public mutating func next() async -> Product.SubscriptionInfo.Status? { await next(isolation: #isolation) }

      public mutating func next(isolation actor: isolated (any Actor)?) async -> Product.SubscriptionInfo.Status? {
        await statuses.next().map { Product.SubscriptionInfo.Status($0.element, on: $0.daemon) }
      }
    }
  }
}
