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

  /// A timer, and where in the heap it is. It keeps its slot while it is set, so that moving it about the heap looks
  /// nothing up.
  private struct Slot {
    var entry: Entry
    var place: Int
  }

  private var slots: [Slot?] = []
  private var free: [Int] = []
  /// Slots.
  private var heap: [Int] = []
  private var slotOf: [Key: Int] = [:]

  var isEmpty: Bool { heap.isEmpty }
  var count: Int { heap.count }

  /// The next timer; it stays until its actor sets or clears it.
  var next: Entry? { heap.first.flatMap { slots[$0]?.entry } }

  /// - Returns: when it was due before; nil when it was not set.
  @discardableResult
  mutating func set(_ actor: ActorAddress, _ name: String, due: StoreTime) -> StoreTime? {
    let key = Key(actor: actor, name: name)
    if let slot = slotOf[key] {
      let before = slots[slot]?.entry.due
      slots[slot]?.entry.due = due
      settle(slot, at: slots[slot]?.place ?? 0)
      return before
    }
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(nil) }
    slots[slot] = Slot(entry: Entry(due: due, actor: actor, name: name), place: heap.count)
    slotOf[key] = slot
    heap.append(slot)
    siftUp(slot, from: heap.count - 1)
    return nil
  }

  /// - Returns: when it was due; nil when it was not set.
  @discardableResult
  mutating func clear(_ actor: ActorAddress, _ name: String) -> StoreTime? {
    guard let slot = slotOf.removeValue(forKey: Key(actor: actor, name: name)), let cleared = slots[slot] else {
      return nil
    }
    slots[slot] = nil
    free.append(slot)
    let last = heap.removeLast()
    if cleared.place < heap.count { settle(last, at: cleared.place) }
    return cleared.entry.due
  }

  private mutating func settle(_ slot: Int, at place: Int) {
    let isMisplaced = place > 0 && isBefore(slot, heap[(place - 1) / 2])
    if isMisplaced { siftUp(slot, from: place) } else { siftDown(slot, from: place) }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    guard let left = slots[left], let right = slots[right] else { return false }
    return left.entry < right.entry
  }

  private mutating func put(_ slot: Int, at place: Int) {
    heap[place] = slot
    slots[slot]?.place = place
  }

  private mutating func siftUp(_ slot: Int, from start: Int) {
    var place = start
    while place > 0, isBefore(slot, heap[(place - 1) / 2]) {
      put(heap[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    put(slot, at: place)
  }

  private mutating func siftDown(_ slot: Int, from start: Int) {
    var place = start
    while true {
      let left = 2 * place + 1
      guard left < heap.count else { break }
      let smaller = left + 1 < heap.count && isBefore(heap[left + 1], heap[left]) ? left + 1 : left
      guard isBefore(heap[smaller], slot) else { break }
      put(heap[smaller], at: place)
      place = smaller
    }
    put(slot, at: place)
  }
}
