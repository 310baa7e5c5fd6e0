import Synchronization

/// Finds or makes the publisher of an object, as long as the object lives.
enum ChangePublishers {
  /// For objects without a `@Published` property, which would hold it.
  private struct Entry: @unchecked Sendable {
    /// Only compared with nil; weak references are safe to read from any thread.
    weak var object: AnyObject?
    let publisher: ObservableObjectPublisher
  }

  private struct Table {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// Objects that are gone are cleared out at this size, so that the work is spread.
    var sweepSize = 64
  }

  private static let table = Mutex(Table())
  private static let making = Mutex(())

  static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let properties = published(in: Mirror(reflecting: object))
    guard let first = properties.first else { return entry(of: object) }
    if let publisher = first.willChange { return publisher }
    return making.withLock { _ in
      if let publisher = first.willChange { return publisher }
      let publisher = ObservableObjectPublisher()
      // The first one last: who finds it there finds it everywhere.
      for property in properties.reversed() { property.tell(publisher) }
      return publisher
    }
  }

  private static func published(in mirror: Mirror) -> [any PublishedProperty] {
    let own = mirror.children.compactMap { $0.value as? any PublishedProperty }
    return (mirror.superclassMirror.map(published(in:)) ?? []) + own
  }

  private static func entry(of object: AnyObject) -> ObservableObjectPublisher {
    let key = ObjectIdentifier(object)
    // Told to the lock's closure without the object itself, which need not be sendable.
    let fresh = Entry(object: object, publisher: ObservableObjectPublisher())
    return table.withLock { table in
      if let entry = table.entries[key], entry.object != nil { return entry.publisher }
      if table.entries.count >= table.sweepSize {
        table.entries = table.entries.filter { $0.value.object != nil }
        table.sweepSize = max(64, table.entries.count * 2)
      }
      table.entries[key] = fresh
      return fresh.publisher
    }
  }
}

/// A `@Published` property, whatever its type.
protocol PublishedProperty {
  var willChange: ObservableObjectPublisher? { get }
  func tell(_ publisher: ObservableObjectPublisher)
}
