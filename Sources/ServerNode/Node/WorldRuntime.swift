import Shared
import Wire

/// What the node keeps of a world in memory: its timers in order, and how a clock jump is getting on.
struct WorldRuntime {
  var epoch: UInt64 = 1
  /// Nil until the world's actor is loaded and the world was created.
  var state: WorldState?
  /// DER. Nil until the authority is open.
  var rootCertificate: [UInt8]?
  var verifier: JWSVerifier?
  var isLoading = false
  /// Messages to actors of the world, from before it was loaded.
  var early: [(ActorAddress, Envelope)] = []
  /// CreateWorld requests that wait for the authority.
  var timers = TimerHeap()
  /// Timers and effects that are not on disk yet.
  var outstanding = 0
  /// The due time of the timer that is being played.
  var playhead: StoreTime?
  /// Whether a clock jump is being played: requests that change something wait until it is over.
  var isJumping = false
  var held: [(ActorAddress, Envelope)] = []
  /// Who waits for the end of the jump.
  var jumpWaiters: [Asker] = []
  var settleWaiters: [Asker] = []
  /// The last report of each device, by name.
  var reports: [String: DeviceReport] = [:]
}

/// A world's timers, the next one first: by due time, then actor, then name.
struct TimerHeap {
  private struct Entry: Comparable {
    var due: StoreTime
    var actor: ActorAddress
    var name: String

    static func < (left: Entry, right: Entry) -> Bool {
      if left.due != right.due { return left.due < right.due }
      if left.actor != right.actor { return left.actor < right.actor }
      return left.name < right.name
    }
  }

  private struct Key: Hashable {
    var actor: ActorAddress
    var name: String
  }

  /// What counts; the heap may hold entries that were moved or cleared since.
  private var dues: [Key: StoreTime] = [:]
  private var heap: [Entry] = []

  mutating func set(_ actor: ActorAddress, _ name: String, due: StoreTime) {
    guard dues.updateValue(due, forKey: Key(actor: actor, name: name)) != due else { return }
    heap.append(Entry(due: due, actor: actor, name: name))
    siftUp(heap.count - 1)
  }

  mutating func clear(_ actor: ActorAddress, _ name: String) { dues[Key(actor: actor, name: name)] = nil }

  /// The next timer; it stays until its actor sets or clears it.
  mutating func next() -> (actor: ActorAddress, name: String, due: StoreTime)? {
    while let first = heap.first {
      if dues[Key(actor: first.actor, name: first.name)] == first.due { return (first.actor, first.name, first.due) }
      removeFirst()
    }
    return nil
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[smallest] {
        smallest = child
      }
      guard smallest != parent else { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
