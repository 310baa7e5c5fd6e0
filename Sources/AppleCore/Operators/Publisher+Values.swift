extension Publisher {
  public func map<T>(_ transform: @escaping (Output) -> T) -> AnyPublisher<T, Failure> {
    lift { value, downstream in downstream.value(transform(value)) }
  }

  public func map<T>(_ keyPath: KeyPath<Output, T>) -> AnyPublisher<T, Failure> { map { $0[keyPath: keyPath] } }

  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> AnyPublisher<T, Failure> {
    lift { value, downstream in
      if let result = transform(value) { downstream.value(result) }
    }
  }

  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    lift { value, downstream in
      if isIncluded(value) { downstream.value(value) }
    }
  }

  /// Leaves out a value that equals, in this sense, the one before it.
  public func removeDuplicates(by predicate: @escaping (Output, Output) -> Bool) -> AnyPublisher<Output, Failure> {
    stateful(Output?.none) { last, value in
      defer { last = value }
      return last.map { predicate($0, value) } == true ? nil : value
    }
  }

  public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
    stateful(count) { rest, value in
      guard rest > 0 else { return value }
      rest -= 1
      return nil
    }
  }

  public func drop(while predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    stateful(true) { isDropping, value in
      if isDropping { isDropping = predicate(value) }
      return isDropping ? nil : value
    }
  }

  /// The first values, then the end.
  public func prefix(_ maxLength: Int) -> AnyPublisher<Output, Failure> {
    AnyPublisher { downstream in
      guard maxLength > 0 else {
        downstream.finish()
        return AnyCancellable {}
      }
      let count = Locked(0)
      return self.sink(
        receiveCompletion: downstream.completion,
        receiveValue: { value in
          let number = count.withLock { count in
            count += 1
            return count
          }
          if number <= maxLength { downstream.value(value) }
          if number == maxLength { downstream.finish() }
        })
    }
  }

  public func first() -> AnyPublisher<Output, Failure> { prefix(1) }

  public func first(where predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
    filter(predicate).prefix(1)
  }

  public func scan<T>(_ initial: T, _ next: @escaping (T, Output) -> T) -> AnyPublisher<T, Failure> {
    stateful(initial) { result, value in
      result = next(result, value)
      return result
    }
  }

  /// All values in one array, at the end.
  public func collect() -> AnyPublisher<[Output], Failure> {
    AnyPublisher { downstream in
      let values = Locked<[Output]>([])
      return self.sink(
        receiveCompletion: { completion in
          if case .finished = completion { downstream.value(values.withLock { $0 }) }
          downstream.completion(completion)
        }, receiveValue: { value in values.withLock { $0.append(value) } })
    }
  }

  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { downstream in
      let hasEnded = Locked(false)
      let upstream = self.sink(
        receiveCompletion: { completion in
          hasEnded.withLock { $0 = true }
          receiveCompletion?(completion)
          downstream.completion(completion)
        },
        receiveValue: { value in
          receiveOutput?(value)
          downstream.value(value)
        })
      return AnyCancellable {
        if !hasEnded.withLock({ $0 }) { receiveCancel?() }
        upstream.cancel()
      }
    }
  }

  /// Decides value by value, with a state for each subscription; nil leaves the value out.
  ///
  /// The lock is one that may be taken again: `next` calls what the app gave.
  private func stateful<State, T>(
    _ initial: State, _ next: @escaping (inout State, Output) -> T?
  ) -> AnyPublisher<T, Failure> {
    AnyPublisher { downstream in
      var state = initial
      return self.sink(
        receiveCompletion: downstream.completion,
        receiveValue: { value in
          if let result = next(&state, value) { downstream.value(result) }
        })
    }
  }
}

extension Publisher where Output: Equatable {
  public func removeDuplicates() -> AnyPublisher<Output, Failure> { removeDuplicates(by: ==) }
}
