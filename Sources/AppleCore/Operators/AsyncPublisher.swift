/// The values of a publisher as an asynchronous sequence. It keeps what comes until it is read.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  public typealias Element = P.Output
  public typealias Failure = Never

  private let publisher: P

  public init(_ publisher: P) { self.publisher = publisher }

  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

  public struct Iterator: AsyncIteratorProtocol {
    private var values: AsyncStream<Unchecked<P.Output>>.Iterator
    private let subscription: AnyCancellable

    init(_ publisher: P) {
      let (stream, continuation) = AsyncStream.makeStream(of: Unchecked<P.Output>.self)
      values = stream.makeAsyncIterator()
      subscription = publisher.sink(
        receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield(Unchecked($0)) })
    }

    public mutating func next() async -> P.Output? { await next(isolation: #isolation) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      await values.next(isolation: actor)?.value
    }
  }
}

/// The same for publishers that can fail.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  public typealias Element = P.Output
  public typealias Failure = any Error

  private let publisher: P

  public init(_ publisher: P) { self.publisher = publisher }

  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

  public struct Iterator: AsyncIteratorProtocol {
    private var values: AsyncThrowingStream<Unchecked<P.Output>, any Error>.Iterator
    private let subscription: AnyCancellable

    init(_ publisher: P) {
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Unchecked<P.Output>.self)
      values = stream.makeAsyncIterator()
      subscription = publisher.sink(
        receiveCompletion: { completion in
          switch completion {
          case .finished: continuation.finish()
          case .failure(let error): continuation.finish(throwing: error)
          }
        }, receiveValue: { continuation.yield(Unchecked($0)) })
    }

    public mutating func next() async throws -> P.Output? { try await next(isolation: #isolation) }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> P.Output? {
      try await values.next(isolation: actor)?.value
    }
  }
}

extension Publisher where Failure == Never {
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}
