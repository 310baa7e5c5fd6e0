public import Foundation

/// A value in the user defaults.
///
/// Apple: https://developer.apple.com/documentation/swiftui/appstorage
@propertyWrapper
public struct AppStorage<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  private init(
    _ key: String, _ store: UserDefaults?, read: @escaping (Any?) -> Value, plain: @escaping (Value) -> Any?
  ) {
    let store = store ?? .standard
    self.read = { read(store.object(forKey: key)) }
    write = { value in
      if let plain = plain(value) { store.set(plain, forKey: key) } else { store.removeObject(forKey: key) }
    }
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  public var projectedValue: Binding<Value> { Binding(get: read, set: write) }
}

extension AppStorage {
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
    self.init(key, store, read: { ($0 as? Bool) ?? wrappedValue }, plain: { $0 })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Int {
    self.init(key, store, read: { ($0 as? Int) ?? wrappedValue }, plain: { $0 })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Double {
    self.init(key, store, read: { ($0 as? Double) ?? wrappedValue }, plain: { $0 })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == String {
    self.init(key, store, read: { ($0 as? String) ?? wrappedValue }, plain: { $0 })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Data {
    self.init(key, store, read: { ($0 as? Data) ?? wrappedValue }, plain: { $0 })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Date {
    self.init(key, store, read: { ($0 as? Date) ?? wrappedValue }, plain: { $0 })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
  where Value: RawRepresentable, Value.RawValue == String {
    self.init(
      key, store, read: { ($0 as? String).flatMap(Value.init) ?? wrappedValue }, plain: { $0.rawValue })
  }

  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
  where Value: RawRepresentable, Value.RawValue == Int {
    self.init(key, store, read: { ($0 as? Int).flatMap(Value.init) ?? wrappedValue }, plain: { $0.rawValue })
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Bool? {
    self.init(key, store, read: { $0 as? Bool }, plain: { $0 })
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Int? {
    self.init(key, store, read: { $0 as? Int }, plain: { $0 })
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Double? {
    self.init(key, store, read: { $0 as? Double }, plain: { $0 })
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == String? {
    self.init(key, store, read: { $0 as? String }, plain: { $0 })
  }

  public init(_ key: String, store: UserDefaults? = nil) where Value == Data? {
    self.init(key, store, read: { $0 as? Data }, plain: { $0 })
  }
}
