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
    private let daemon: any StoreDaemon

    init(_ source: Source, on daemon: any StoreDaemon) {
      self.source = source
      self.daemon = daemon
    }

    /// For `updates`, listens from now on; a query takes its snapshot with the first call of `next`.
    public func makeAsyncIterator() -> AsyncIterator {
      switch source {
      case .updates: AsyncIterator(state: .listening(daemon.updates()), daemon: daemon)
      case .query(let query, let productId): AsyncIterator(state: .unread(query, productId: productId), daemon: daemon)
      }
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      enum State {
        case listening(DaemonStream<SignedTransaction>)
        case unread(TransactionQuery, productId: String?)
        case reading([SignedTransaction].Iterator)
      }

      var state: State
      let daemon: any StoreDaemon

      public mutating func next() async -> VerificationResult<Transaction>? { await next(isolation: #isolation) }

      // `for await` calls this one. The standard library's own would leave the caller's actor and come back for each
      // element.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> VerificationResult<Transaction>? {
        switch state {
        case .listening(let stream):
          return result(await stream.next())
        case .unread(let query, let productId):
          var transactions = await daemon.transactions(query)
          if let productId { transactions.removeAll { $0.record.productId != productId } }
          return read(transactions.makeIterator())
        case .reading(let rest):
          return read(rest)
        }
      }

      private mutating func read(_ rest: [SignedTransaction].Iterator) -> VerificationResult<Transaction>? {
        var rest = rest
        let transaction = rest.next()
        state = .reading(rest)
        return result(transaction)
      }

      private func result(_ signed: SignedTransaction?) -> VerificationResult<Transaction>? {
        signed.map { VerificationResult($0, on: daemon) }
      }
    }
  }
}
