import ClientNode
import Shared

extension Transaction {
  /// A sequence of transactions of the device on which it was asked for.
  public struct Transactions: AsyncSequence, Sendable {
    public typealias Element = VerificationResult<Transaction>
    public typealias Failure = Never

    enum Source {
      case updates
      /// Only transactions of `productId` when it is given.
      case query(TransactionQuery, productId: String?)
    }

    private let source: Source
    private let daemon: (any StoreDaemon)?

    /// - Parameter daemon: nil where there is no device: then a query finds nothing.
    init(_ source: Source, on daemon: (any StoreDaemon)?) {
      self.source = source
      self.daemon = daemon
    }

    /// For `updates`, listens from now on; a query takes its snapshot with the first call of `next`.
    public func makeAsyncIterator() -> AsyncIterator {
      switch source {
      case .updates: AsyncIterator(state: .listening(DeviceListener(to: daemon) { $0.updates() }))
      case .query(let query, let productId):
        AsyncIterator(state: daemon.map { .unread(query, productId: productId, $0) } ?? .over)
      }
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      enum State {
        case listening(DeviceListener<SignedTransaction>)
        case unread(TransactionQuery, productId: String?, any StoreDaemon)
        case reading([SignedTransaction].Iterator, any StoreDaemon)
        case over
      }

      var state: State

      public mutating func next() async -> VerificationResult<Transaction>? { await next(isolation: #isolation) }

      // `for await` calls this one. The standard library's own would leave the caller's actor and come back for each
      // element.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> VerificationResult<Transaction>? {
        switch state {
        case .listening(var listener):
          let heard = await listener.next()
          state = .listening(listener)
          return heard.map { VerificationResult($0.element, on: $0.daemon) }
        case .unread(let query, let productId, let daemon):
          var transactions = await daemon.transactions(query)
          if let productId { transactions.removeAll { $0.record.productId != productId } }
          return read(transactions.makeIterator(), of: daemon)
        case .reading(let rest, let daemon):
          return read(rest, of: daemon)
        case .over:
          return nil
        }
      }

      private mutating func read(
        _ rest: [SignedTransaction].Iterator, of daemon: any StoreDaemon
      ) -> VerificationResult<Transaction>? {
        var rest = rest
        let transaction = rest.next()
        state = .reading(rest, daemon)
        return transaction.map { VerificationResult($0, on: daemon) }
      }
    }
  }
}
