/// Passes on what it is sent to whoever has subscribed by then.
///
/// Apple: https://developer.apple.com/documentation/combine/passthroughsubject
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let outlets = Locked(Outlets<Output, Failure>())

  public init() {}

  public func send(_ value: Output) {
    for downstream in outlets.withLock({ $0.downstreams }) { downstream.value(value) }
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    for downstream in outlets.withLock({ $0.end(completion) }) { downstream.completion(completion) }
  }

  public func send(subscription: any Subscription) { subscription.request(.unlimited) }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let publisher = AnyPublisher<Output, Failure> { [outlets] downstream in
      let (id, completion) = outlets.withLock { outlets in (outlets.add(downstream), outlets.completion) }
      if let completion { downstream.completion(completion) }
      return AnyCancellable { outlets.withLock { $0.remove(id) } }
    }
    publisher.receive(subscriber: subscriber)
  }
}

/// Its state is behind a lock; values cross threads as their senders send them.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
