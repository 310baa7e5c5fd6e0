extension Publishers {
  /// The latest values of two publishers, each time one of them has a new one and both have any.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    public let a: A
    public let b: B

    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let publisher = AnyPublisher<Output, Failure> { [a, b] downstream in
        let latest = Locked<(a: A.Output?, b: B.Output?)>((nil, nil))
        let running = Locked(2)
        func end(_ completion: Subscribers.Completion<Failure>) {
          let rest = running.withLock { running in
            running -= 1
            return running
          }
          if case .failure = completion { downstream.completion(completion) } else if rest == 0 { downstream.finish() }
        }
        func pair(_ change: (inout (a: A.Output?, b: B.Output?)) -> Void) {
          let pair = latest.withLock { latest in
            change(&latest)
            return latest
          }
          if let a = pair.a, let b = pair.b { downstream.value((a, b)) }
        }
        let first = a.sink(receiveCompletion: end, receiveValue: { value in pair { $0.a = value } })
        let second = b.sink(receiveCompletion: end, receiveValue: { value in pair { $0.b = value } })
        return AnyCancellable {
          first.cancel()
          second.cancel()
        }
      }
      publisher.receive(subscriber: subscriber)
    }
  }

  /// The same of three publishers.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C

    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      CombineLatest(CombineLatest(a, b), c).map { ($0.0.0, $0.0.1, $0.1) }.receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
  where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }

  public func combineLatest<P: Publisher, Combined>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> Combined
  ) -> AnyPublisher<Combined, Failure> where P.Failure == Failure {
    Publishers.CombineLatest(self, other).map { transform($0.0, $0.1) }
  }

  public func combineLatest<P: Publisher, Q: Publisher>(
    _ second: P, _ third: Q
  ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.CombineLatest3(self, second, third)
  }
}
