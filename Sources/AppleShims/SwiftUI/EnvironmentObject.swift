public import AppleCore

/// An object that a view further up hands down.
///
/// Apple: https://developer.apple.com/documentation/swiftui/environmentobject
@MainActor @propertyWrapper
public struct EnvironmentObject<ObjectType: ObservableObject> {
  public init() {}

  /// Traps, as at Apple when nobody hands one down: nothing is drawn here, so nobody does.
  public var wrappedValue: ObjectType {
    fatalError("there is no \(ObjectType.self) in the environment: nothing is drawn here, so give the code its object")
  }

  public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject(wrappedValue: wrappedValue).projectedValue
  }
}
