/// Work that is due at instants, earliest first; what is due at the same instant comes in the order it was added.
struct TimerQueue<Instant: Comparable, Work> {
  private struct Entry {
    let due: Instant
    let token: TimerToken

    func isBefore(_ other: Entry) -> Bool {
      due == other.due ? token.number < other.token.number : due < other.due
    }
  }

  /// A binary heap. Entries of cancelled timers stay until they come up, or until they are the majority.
  private var heap: [Entry] = []
  private var work: [TimerToken: Work] = [:]
  private var added: UInt64 = 0

  var count: Int { work.count }
  /// Timers and cancelled ones that were not dropped yet.
  var storedCount: Int { heap.count }

  mutating func add(due: Instant, _ work: Work) -> TimerToken {
    added += 1
    let token = TimerToken(number: added)
    self.work[token] = work
    heap.append(Entry(due: due, token: token))
    siftUp(heap.count - 1)
    return token
  }

  /// Whether the timer was still waiting.
  @discardableResult
  mutating func cancel(_ token: TimerToken) -> Bool {
    guard work.removeValue(forKey: token) != nil else { return false }
    if heap.count > 64, heap.count > 2 * work.count {
      // A sorted array is a heap.
      heap = heap.filter { work[$0.token] != nil }.sorted { $0.isBefore($1) }
    }
    return true
  }

  mutating func removeAll() {
    heap = []
    work = [:]
  }

  /// When the earliest timer is due.
  mutating func next() -> Instant? {
    dropCancelled()
    return heap.first?.due
  }

  /// Takes the earliest timer that is due at `now`.
  mutating func take(dueAt now: Instant) -> Work? {
    dropCancelled()
    guard let first = heap.first, first.due <= now else { return nil }
    removeFirst()
    return work.removeValue(forKey: first.token)
  }

  private mutating func dropCancelled() {
    while let first = heap.first, work[first.token] == nil { removeFirst() }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown()
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].isBefore(heap[first]) { first = child }
      }
      guard first != parent else { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }
}
