package import Wire

/// Named instants, the earliest first. Setting a name again moves it.
package struct Deadlines<Key: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    var due: MonotonicTime
    var order: UInt64
    var key: Key

    func isBefore(_ other: Entry) -> Bool { (due, order) < (other.due, other.order) }
  }

  /// A binary heap; entries that were moved or cleared stay until they come up.
  private var heap: [Entry] = []
  private var current: [Key: UInt64] = [:]
  private var order: UInt64 = 0

  package init() {}

  package func contains(_ key: Key) -> Bool { current[key] != nil }

  package mutating func set(_ key: Key, at due: MonotonicTime) {
    order += 1
    current[key] = order
    heap.append(Entry(due: due, order: order, key: key))
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
    if heap.count > 64, heap.count > 4 * current.count {
      // A sorted array is a heap.
      heap = heap.filter { current[$0.key] == $0.order }.sorted { $0.isBefore($1) }
    }
  }

  package mutating func clear(_ key: Key) { current[key] = nil }

  package mutating func next() -> MonotonicTime? {
    dropStale()
    return heap.first?.due
  }

  /// Takes the earliest name that is due at `now`.
  package mutating func take(dueAt now: MonotonicTime) -> Key? {
    dropStale()
    guard let first = heap.first, first.due <= now else { return nil }
    removeFirst()
    current[first.key] = nil
    return first.key
  }

  private mutating func dropStale() {
    while let first = heap.first, current[first.key] != first.order { removeFirst() }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[first]) {
        first = child
      }
      guard first != parent else { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }
}
