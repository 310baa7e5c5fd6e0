/// An object that a view makes when it first needs it, and keeps.
@MainActor @propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
  private final class Storage {
    let make: () -> ObjectType
    private(set) lazy var object = make()
    init(_ make: @escaping () -> ObjectType) { self.make = make }
  }

  private let storage: Storage

  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { storage = Storage(thunk) }

  public var wrappedValue: ObjectType { storage.object }
  public var projectedValue: ObservedObject<ObjectType>.Wrapper {
    ObservedObject(wrappedValue: wrappedValue).projectedValue
  }
}
