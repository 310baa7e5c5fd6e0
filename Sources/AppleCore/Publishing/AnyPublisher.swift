/// A publisher of which only the types of its values are known. Operators give these.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  /// Begins to deliver; what it returns ends that.
  typealias Start = (Downstream<Output, Failure>) -> any Cancellable

  private let start: Start

  init(start: @escaping Start) { self.start = start }

  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    if let publisher = publisher as? AnyPublisher {
      self = publisher
    } else {
      start = { downstream in
        publisher.sink(receiveCompletion: downstream.completion, receiveValue: downstream.value)
      }
    }
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Link(start: start, subscriber: subscriber))
  }
}

/// Where values go.
struct Downstream<Output, Failure: Error> {
  let value: (Output) -> Void
  let completion: (Subscribers.Completion<Failure>) -> Void

  func finish() { completion(.finished) }
}

extension Publisher {
  /// An operator: `start` subscribes to this publisher and says what goes on downstream.
  func lift<NewOutput, NewFailure: Error>(
    _ start: @escaping (Self, Downstream<NewOutput, NewFailure>) -> any Cancellable
  ) -> AnyPublisher<NewOutput, NewFailure> {
    AnyPublisher { start(self, $0) }
  }

  /// An operator that treats values one by one and leaves the end as it is.
  func lift<NewOutput>(
    _ receive: @escaping (Output, Downstream<NewOutput, Failure>) -> Void
  ) -> AnyPublisher<NewOutput, Failure> {
    AnyPublisher { downstream in
      self.sink(receiveCompletion: downstream.completion, receiveValue: { receive($0, downstream) })
    }
  }
}
