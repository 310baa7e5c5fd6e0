/// One subscription: it starts with the first demand, and lets nothing through after its end.
final class Link<S: Subscriber>: Subscription {
  private struct State {
    var start: AnyPublisher<S.Input, S.Failure>.Start?
    /// Nil once it is over.
    var subscriber: S?
    var upstream: (any Cancellable)?
  }

  private let state: Locked<State>

  init(start: @escaping AnyPublisher<S.Input, S.Failure>.Start, subscriber: S) {
    state = Locked(State(start: start, subscriber: subscriber))
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let start = state.withLock { state in
      defer { state.start = nil }
      return state.start
    }
    guard let start else { return }
    let upstream = start(Downstream(value: { self.push($0) }, completion: { self.end($0) }))
    // Values may have come before there was something to cancel.
    let isOver = state.withLock { state in
      if state.subscriber != nil { state.upstream = upstream }
      return state.subscriber == nil
    }
    if isOver { upstream.cancel() }
  }

  private func push(_ value: S.Input) { _ = state.withLock { $0.subscriber }?.receive(value) }

  private func end(_ completion: Subscribers.Completion<S.Failure>) {
    let last = takeAll()
    last.subscriber?.receive(completion: completion)
    last.upstream?.cancel()
  }

  func cancel() { takeAll().upstream?.cancel() }

  private func takeAll() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }
}
