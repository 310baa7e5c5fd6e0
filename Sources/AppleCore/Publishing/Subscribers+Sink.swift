extension Subscribers {
  /// Takes all values with closures.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    private struct State {
      var subscription: (any Subscription)?
      var isOver = false
    }

    public let receiveValue: (Input) -> Void
    public let receiveCompletion: (Completion<Failure>) -> Void
    private let state = Locked(State())

    public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) {
      self.receiveCompletion = receiveCompletion
      self.receiveValue = receiveValue
    }

    public func receive(subscription: any Subscription) {
      let isWanted = state.withLock { state in
        guard !state.isOver, state.subscription == nil else { return false }
        state.subscription = subscription
        return true
      }
      if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    public func receive(_ input: Input) -> Demand {
      if !state.withLock({ $0.isOver }) { receiveValue(input) }
      return .none
    }

    public func receive(completion: Completion<Failure>) {
      if end() != nil { receiveCompletion(completion) }
    }

    public func cancel() { end()??.cancel() }

    /// - Returns: nil when it was over before.
    private func end() -> (any Subscription)?? {
      state.withLock { state in
        guard !state.isOver else { return .none }
        defer { state.subscription = nil }
        state.isOver = true
        return .some(state.subscription)
      }
    }
  }
}

extension Publisher {
  /// Takes all values, until they end or what this returns is let go.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Writes each value to a property, and keeps its object alive until the values end or are cancelled.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    sink { object[keyPath: keyPath] = $0 }
  }

  /// Writes each value to a `@Published` property, for as long as its object lives.
  public func assign(to published: inout Published<Output>.Publisher) {
    published.storage.follow(self)
  }
}
