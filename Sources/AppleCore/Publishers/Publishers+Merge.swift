extension Publishers {
  /// The values of two publishers as they come; ends with the last one, fails with the first failure.
  public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B

    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      MergeMany([a.eraseToAnyPublisher(), b.eraseToAnyPublisher()]).receive(subscriber: subscriber)
    }
  }

  /// The values of any number of publishers as they come.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let publishers: [Upstream]

    public init(_ upstream: Upstream...) { publishers = upstream }
    public init<S: Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let publisher = AnyPublisher<Output, Failure> { [publishers] downstream in
        let running = Locked(publishers.count)
        if publishers.isEmpty { downstream.finish() }
        let subscriptions = publishers.map { publisher in
          publisher.sink(
            receiveCompletion: { completion in
              let rest = running.withLock { running in
                running -= 1
                return running
              }
              if case .failure = completion { return downstream.completion(completion) }
              if rest == 0 { downstream.finish() }
            }, receiveValue: downstream.value)
        }
        return AnyCancellable { for subscription in subscriptions { subscription.cancel() } }
      }
      publisher.receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge(self, other)
  }

  public func merge<B: Publisher, C: Publisher>(
    with b: B, _ c: C
  ) -> AnyPublisher<Output, Failure>
  where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
    let all = [eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher()]
    return Publishers.MergeMany(all).eraseToAnyPublisher()
  }
}
