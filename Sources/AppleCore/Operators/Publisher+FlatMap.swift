extension Publisher {
  /// The values of the publishers that values are made into, as they come. `maxPublishers` does not limit them here.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> AnyPublisher<P.Output, Failure> where P.Failure == Failure {
    AnyPublisher { downstream in
      let inner = Inner(downstream)
      let outer = self.sink(
        receiveCompletion: { inner.outerEnded($0) }, receiveValue: { inner.follow(transform($0)) })
      return AnyCancellable {
        outer.cancel()
        inner.cancel()
      }
    }
  }

  /// The same for publishers that cannot fail.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> AnyPublisher<P.Output, Failure> where P.Failure == Never, Failure: Error {
    flatMap { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// The values of the latest publisher.
  public func switchToLatest() -> AnyPublisher<Output.Output, Failure> {
    AnyPublisher { downstream in
      let inner = Inner(downstream)
      let outer = self.sink(
        receiveCompletion: { inner.outerEnded($0) },
        receiveValue: { publisher in
          inner.cancel()
          inner.follow(publisher)
        })
      return AnyCancellable {
        outer.cancel()
        inner.cancel()
      }
    }
  }
}

/// The subscriptions to publishers that come as values.
private final class Inner<Output, Failure: Error> {
  private struct State {
    var all: [Int: AnyCancellable?] = [:]
    var lastId = 0
    var hasOuterEnded = false
    var isOver: Bool { hasOuterEnded && all.isEmpty }
  }

  private let state = Locked(State())
  private let downstream: Downstream<Output, Failure>

  init(_ downstream: Downstream<Output, Failure>) { self.downstream = downstream }

  func follow<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    let id = state.withLock { state in
      state.lastId += 1
      state.all[state.lastId] = .some(nil)
      return state.lastId
    }
    let subscription = publisher.sink(
      receiveCompletion: { [self] completion in
        let isOver = state.withLock { state in
          state.all[id] = nil
          return state.isOver
        }
        if case .failure = completion { downstream.completion(completion) } else if isOver { downstream.finish() }
      }, receiveValue: downstream.value)
    state.withLock { state in
      // It may have ended by now.
      if state.all[id] != nil { state.all[id] = subscription }
    }
  }

  func outerEnded(_ completion: Subscribers.Completion<Failure>) {
    let isOver = state.withLock { state in
      state.hasOuterEnded = true
      return state.isOver
    }
    if case .failure = completion { downstream.completion(completion) } else if isOver { downstream.finish() }
  }

  func cancel() {
    let all = state.withLock { state in
      defer { state.all = [:] }
      return state.all
    }
    for subscription in all.values { subscription?.cancel() }
  }
}
