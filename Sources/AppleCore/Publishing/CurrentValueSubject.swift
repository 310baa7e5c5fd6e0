/// Has a value, and tells subscribers that and each later one.
///
/// Apple: https://developer.apple.com/documentation/combine/currentvaluesubject
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private struct State {
    var value: Output
    var outlets = Outlets<Output, Failure>()
  }

  private let state: Locked<State>

  public init(_ value: Output) { state = Locked(State(value: value)) }

  public var value: Output {
    get { state.withLock { $0.value } }
    set { send(newValue) }
  }

  public func send(_ value: Output) {
    let downstreams = state.withLock { state in
      if state.outlets.completion == nil { state.value = value }
      return state.outlets.downstreams
    }
    for downstream in downstreams { downstream.value(value) }
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    for downstream in state.withLock({ $0.outlets.end(completion) }) { downstream.completion(completion) }
  }

  public func send(subscription: any Subscription) { subscription.request(.unlimited) }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let publisher = AnyPublisher<Output, Failure> { [state] downstream in
      let (id, value, completion) = state.withLock { state in
        (state.outlets.add(downstream), state.value, state.outlets.completion)
      }
      if let completion { downstream.completion(completion) } else { downstream.value(value) }
      return AnyCancellable { state.withLock { $0.outlets.remove(id) } }
    }
    publisher.receive(subscriber: subscriber)
  }
}

/// Its state is behind a lock; values cross threads as their senders send them.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
