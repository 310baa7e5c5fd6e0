/// No value; ends at once unless it is to go on.
public struct Empty<Output, Failure: Error>: Publisher {
  public let completeImmediately: Bool

  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let publisher = AnyPublisher<Output, Failure> { [completeImmediately] downstream in
      if completeImmediately { downstream.finish() }
      return AnyCancellable {}
    }
    publisher.receive(subscriber: subscriber)
  }
}
