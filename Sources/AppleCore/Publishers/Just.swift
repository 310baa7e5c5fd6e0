/// One value, then the end.
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  public let output: Output

  public init(_ output: Output) { self.output = output }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let publisher = AnyPublisher<Output, Never> { [output] downstream in
      downstream.value(output)
      downstream.finish()
      return AnyCancellable {}
    }
    publisher.receive(subscriber: subscriber)
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}
