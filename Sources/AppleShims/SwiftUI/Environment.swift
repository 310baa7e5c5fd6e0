public import Observation

/// Where a value of the environment is found, and what it is without one.
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

/// The environment of views. As nothing is drawn here, there is one, and its values are the defaults.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  public init() {}

  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

/// A value of the environment.
@propertyWrapper
public struct Environment<Value> {
  /// Nil for an object, which somebody would have to hand down.
  private let keyPath: KeyPath<EnvironmentValues, Value>?

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }
  public init(_ objectType: Value.Type) where Value: AnyObject & Observable { keyPath = nil }

  /// Traps for an object, as at Apple when nobody hands one down: nothing is drawn here, so nobody does.
  public var wrappedValue: Value {
    guard let keyPath else {
      fatalError("there is no \(Value.self) in the environment: nothing is drawn here, so give the code its object")
    }
    return EnvironmentValues()[keyPath: keyPath]
  }
}
