/// A property that publishes its value: the present one to each subscriber, then each new one, before it is stored.
///
/// Apple: https://developer.apple.com/documentation/combine/published. There it is for classes only; here the compiler
/// does not say so.
@propertyWrapper
public struct Published<Value> {
  let storage: PublishedStorage<Value>

  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  // Not mutating: while subscribers are told they may read the property, which must not count as an overlapping access.
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.set(newValue) }
  }

  public var projectedValue: Publisher {
    get { Publisher(storage: storage) }
    nonmutating set { if newValue.storage !== storage { storage.follow(newValue) } }
  }

  /// The values of the property.
  public struct Publisher: AppleCore.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    let storage: PublishedStorage<Value>

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      storage.publisher.receive(subscriber: subscriber)
    }
  }
}

extension Published: PublishedProperty {
  var willChange: ObservableObjectPublisher? { storage.willChange }
  func tell(_ publisher: ObservableObjectPublisher) { storage.tell(publisher) }
}

/// Its storage is behind a lock.
extension Published: @unchecked Sendable where Value: Sendable {}
extension Published.Publisher: @unchecked Sendable where Value: Sendable {}
