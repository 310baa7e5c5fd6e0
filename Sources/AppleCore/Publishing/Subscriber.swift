/// What receives the values of a publisher.
///
/// Apple: https://developer.apple.com/documentation/combine/subscriber
public protocol Subscriber<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

/// The connection of one subscriber to a publisher.
public protocol Subscription: Cancellable {
  /// The first demand starts the values. There is no back-pressure here: from then on they come as they are sent.
  func request(_ demand: Subscribers.Demand)
}

/// A namespace, as at Apple.
public enum Subscribers {}
