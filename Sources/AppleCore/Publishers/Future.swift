/// One value, later, or a failure. Its work begins when it is made, and late subscribers get the same result.
public final class Future<Output, Failure: Error>: Publisher {
  public typealias Promise = (Result<Output, Failure>) -> Void

  private struct State {
    var result: Result<Output, Failure>?
    var waiting = Outlets<Output, Failure>()
  }

  private let state = Locked(State())

  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { [state] result in
      let waiting = state.withLock { state in
        guard state.result == nil else { return [Downstream<Output, Failure>]() }
        state.result = result
        return state.waiting.end(.finished)
      }
      for downstream in waiting { Future.deliver(result, to: downstream) }
    }
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let publisher = AnyPublisher<Output, Failure> { [state] downstream in
      let (id, result) = state.withLock { state in (state.waiting.add(downstream), state.result) }
      if let result { Future.deliver(result, to: downstream) }
      return AnyCancellable { state.withLock { $0.waiting.remove(id) } }
    }
    publisher.receive(subscriber: subscriber)
  }

  private static func deliver(_ result: Result<Output, Failure>, to downstream: Downstream<Output, Failure>) {
    switch result {
    case .success(let value):
      downstream.value(value)
      downstream.finish()
    case .failure(let error): downstream.completion(.failure(error))
    }
  }
}

extension Future where Failure == Never {
  /// The value; waits for it.
  public var value: Output {
    get async { await firstValue().get() }
  }
}

extension Future {
  func firstValue() async -> Result<Output, Failure> {
    let cancellable = Locked<AnyCancellable?>(nil)
    typealias Answer = CheckedContinuation<Unchecked<Result<Output, Failure>>, Never>
    let result = await withCheckedContinuation { (continuation: Answer) in
      let subscription = sink(
        receiveCompletion: { completion in
          if case .failure(let error) = completion { continuation.resume(returning: Unchecked(.failure(error))) }
        }, receiveValue: { continuation.resume(returning: Unchecked(.success($0))) })
      cancellable.withLock { $0 = subscription }
    }
    return result.value
  }
}

extension Future where Failure == any Error {
  /// The value; waits for it.
  public var value: Output {
    get async throws { try await firstValue().get() }
  }
}

/// Its state is behind a lock; the value crosses threads as its promise is kept.
extension Future: @unchecked Sendable where Output: Sendable {}
