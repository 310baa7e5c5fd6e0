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
    /// Among timers that are due at the same time, as the monthly plans of a whole store are after a jump: the entry's
    /// names in one, with what is less than any character of a name between them.
    var order: String

    init(_ entry: Entry, place: Int) {
      self.entry = entry
      self.place = place
      order = [entry.actor.world, entry.actor.kind.rawValue, entry.actor.key, entry.name].joined(separator: "\u{0}")
    }
  }

  /// A place in the heap. Most comparisons need no look at the slot.
  private struct Place {
    var due: StoreTime
    var slot: Int
  }

  private var slots: [Slot] = []
  private var free: [Int] = []
  private var heap: [Place] = []
  private var slotOf: [Key: Int] = [:]

  var isEmpty: Bool { heap.isEmpty }
  var count: Int { heap.count }

  /// The next timer; it stays until its actor sets or clears it.
  var next: Entry? { heap.first.map { slots[$0.slot].entry } }

  /// - Returns: when it was due before; nil when it was not set.
  @discardableResult
  mutating func set(_ actor: ActorAddress, _ name: String, due: StoreTime) -> StoreTime? {
    if let slot = slot(actor, name) {
      let before = slots[slot].entry.due
      let place = slots[slot].place
      slots[slot].entry.due = due
      heap[place].due = due
      settle(heap[place], at: place)
      return before
    }
    let entry = Entry(due: due, actor: actor, name: name)
    let slot = free.popLast() ?? slots.count
    if slot == slots.count {
      slots.append(Slot(entry, place: heap.count))
    } else {
      slots[slot] = Slot(entry, place: heap.count)
    }
    slotOf[Key(actor: actor, name: name)] = slot
    heap.append(Place(due: due, slot: slot))
    siftUp(heap[heap.count - 1], from: heap.count - 1)
    return nil
  }

  /// - Returns: when it was due; nil when it was not set.
  @discardableResult
  mutating func clear(_ actor: ActorAddress, _ name: String) -> StoreTime? {
    guard let slot = slotOf.removeValue(forKey: Key(actor: actor, name: name)) else { return nil }
    let (due, place) = (slots[slot].entry.due, slots[slot].place)
    free.append(slot)
    let last = heap.removeLast()
    if place < heap.count { settle(last, at: place) }
    return due
  }

  private func slot(_ actor: ActorAddress, _ name: String) -> Int? {
    // Nearly always it is the timer that is being played.
    if let first = heap.first?.slot, slots[first].entry.actor == actor, slots[first].entry.name == name { return first }
    return slotOf[Key(actor: actor, name: name)]
  }

  private mutating func settle(_ moved: Place, at place: Int) {
    let isMisplaced = place > 0 && isBefore(moved, heap[(place - 1) / 2])
    if isMisplaced { siftUp(moved, from: place) } else { siftDown(moved, from: place) }
  }

  private func isBefore(_ left: Place, _ right: Place) -> Bool {
    if left.due != right.due { return left.due < right.due }
    return slots[left.slot].order < slots[right.slot].order
  }

  private mutating func put(_ moved: Place, at place: Int) {
    heap[place] = moved
    slots[moved.slot].place = place
  }

  private mutating func siftUp(_ moved: Place, from start: Int) {
    var place = start
    while place > 0, isBefore(moved, heap[(place - 1) / 2]) {
      put(heap[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    put(moved, at: place)
  }

  private mutating func siftDown(_ moved: Place, from start: Int) {
    var place = start
    while true {
      let left = 2 * place + 1
      guard left < heap.count else { break }
      let smaller = left + 1 < heap.count && isBefore(heap[left + 1], heap[left]) ? left + 1 : left
      guard isBefore(heap[smaller], moved) else { break }
      put(heap[smaller], at: place)
      place = smaller
    }
    put(moved, at: place)
  }
}
