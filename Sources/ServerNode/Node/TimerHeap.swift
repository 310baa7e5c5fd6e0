import Shared
import Wire

/// A world's timers, the next one first: by due time, then actor, then name.
///
/// Every timer has one place in the heap, so that looking at the next one changes nothing and a moved timer costs one
/// sift, however many there are.
struct TimerHeap {
  struct Entry: Hashable, Comparable {
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

  private var heap: [Entry] = []
  private var places: [Key: Int] = [:]

  var isEmpty: Bool { heap.isEmpty }

  /// The next timer; it stays until its actor sets or clears it.
  var next: Entry? { heap.first }

  /// When a timer is due; nil when it is not set.
  func due(_ actor: ActorAddress, _ name: String) -> StoreTime? {
    places[Key(actor: actor, name: name)].map { heap[$0].due }
  }

  mutating func set(_ actor: ActorAddress, _ name: String, due: StoreTime) {
    let entry = Entry(due: due, actor: actor, name: name)
    guard let place = places[Key(actor: actor, name: name)] else {
      heap.append(entry)
      return siftUp(entry, from: heap.count - 1)
    }
    settle(entry, at: place)
  }

  mutating func clear(_ actor: ActorAddress, _ name: String) {
    guard let place = places.removeValue(forKey: Key(actor: actor, name: name)) else { return }
    let last = heap.removeLast()
    if place < heap.count { settle(last, at: place) }
  }

  private mutating func settle(_ entry: Entry, at place: Int) {
    if place > 0, entry < heap[(place - 1) / 2] { siftUp(entry, from: place) } else { siftDown(entry, from: place) }
  }

  private mutating func put(_ entry: Entry, at place: Int) {
    heap[place] = entry
    places[Key(actor: entry.actor, name: entry.name)] = place
  }

  private mutating func siftUp(_ entry: Entry, from start: Int) {
    var place = start
    while place > 0, entry < heap[(place - 1) / 2] {
      put(heap[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    put(entry, at: place)
  }

  private mutating func siftDown(_ entry: Entry, from start: Int) {
    var place = start
    while true {
      let left = 2 * place + 1
      guard left < heap.count else { break }
      let smaller = left + 1 < heap.count && heap[left + 1] < heap[left] ? left + 1 : left
      guard heap[smaller] < entry else { break }
      put(heap[smaller], at: place)
      place = smaller
    }
    put(entry, at: place)
  }
}
