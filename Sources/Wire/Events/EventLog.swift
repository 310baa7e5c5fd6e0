package import Foundation
import Synchronization

/// The newest events of the worlds that somebody follows within this process, in the order in which they were
/// published.
///
/// Followers have no queue of their own: each reads on from a position, so that a slow one costs nothing, and one that
/// is too slow, or comes back too late, is told that it missed something. A world that nobody has followed costs
/// nothing either.
package final class EventLog: Sendable {
  /// A place between two events of one world's log.
  package struct Position: Hashable, Sendable {
    /// Names the log: after a restart of the node, or when the world was forgotten, there is another.
    let log: UInt32
    /// How many events came before it.
    let number: UInt64
  }

  package struct Entry: Sendable {
    /// Behind this event.
    package let position: Position
    package let event: EventFrames
  }

  package enum Batch: Sendable {
    /// One or more, in order.
    case events([Entry])
    /// The log does not reach back to the position: follow anew.
    case missed
    /// The node stops: no more will come.
    case ended
  }

  private struct WorldLog {
    let id: UInt32
    /// How many events were dropped from the front.
    var dropped: UInt64 = 0
    var events: [EventFrames] = []
    /// Where the oldest event is: the places before it are empty, so that dropping one moves none.
    var start = 0
    var bytes = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastUse: UInt64

    var newest: Position { Position(log: id, number: dropped + UInt64(events.count - start)) }
  }

  private struct State {
    var worlds: [String: WorldLog] = [:]
    var uses: UInt64 = 0
    var lastWaiter: UInt64 = 0
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let isFollowed = Atomic<Bool>(false)
  private let mostEvents: Int
  private let mostBytes: Int
  private let mostWorlds: Int
  /// How many entries one `next` returns.
  private static let mostPerBatch = 256

  /// - Parameters:
  ///   - mostEvents: How many events of a world are kept.
  ///   - mostBytes: How many bytes of bodies of a world are kept; the newest event always is.
  ///   - mostWorlds: How many worlds are kept; beyond that, the one that was used least lately is forgotten.
  package init(mostEvents: Int = 8_192, mostBytes: Int = 8 << 20, mostWorlds: Int = 64) {
    self.mostEvents = mostEvents
    self.mostBytes = mostBytes
    self.mostWorlds = mostWorlds
  }

  // MARK: The node

  /// Takes what was published. Quick, and nothing at all while nobody follows.
  package func append(_ frames: [Data]) {
    guard isFollowed.load(ordering: .acquiring), let topic = frames.first, let slash = topic.firstIndex(of: 0x2F),
      let world = String(validating: topic[..<slash], as: UTF8.self)
    else { return }
    let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
      guard var log = state.worlds[world], let event = try? EventFrames(frames: frames),
        event.name != AccountUpdate.subscribed
      else { return [] }
      // Taken out while it is changed, so that the array is not copied.
      state.worlds[world] = nil
      log.events.append(event)
      log.bytes += event.body.count
      while log.events.count - log.start > 1,
        log.events.count - log.start > mostEvents || log.bytes > mostBytes
      {
        log.bytes -= log.events[log.start].body.count
        log.events[log.start].body = Data()
        log.start += 1
        log.dropped += 1
      }
      if log.start > log.events.count / 2, log.start > 64 {
        log.events.removeFirst(log.start)
        log.start = 0
      }
      let waiters = Array(log.waiters.values)
      log.waiters = [:]
      state.worlds[world] = log
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Nothing more will come.
  package func end() {
    let waiters = state.withLock { state in
      state.hasEnded = true
      let waiters = state.worlds.values.flatMap { $0.waiters.values }
      state.worlds = [:]
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Followers

  /// Whose events are kept.
  package var worlds: Set<String> { state.withLock { Set($0.worlds.keys) } }

  /// The newest position of a world. From now on its events are kept.
  package func follow(_ world: String) -> Position {
    state.withLock { state in
      state.uses += 1
      if state.worlds[world] == nil {
        forgetTooMany(&state)
        state.worlds[world] = WorldLog(id: .random(in: .min ... .max), lastUse: state.uses)
        isFollowed.store(true, ordering: .releasing)
      }
      state.worlds[world]?.lastUse = state.uses
      return state.worlds[world]?.newest ?? Position(log: 0, number: 0)
    }
  }

  private func forgetTooMany(_ state: inout State) {
    guard state.worlds.count >= mostWorlds else { return }
    let idle = state.worlds.filter { $0.value.waiters.isEmpty }
    guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
    state.worlds[oldest.key] = nil
  }

  /// What was published of a world after `position`; waits for it. When the task is cancelled, no events at all.
  package func next(of world: String, after position: Position) async -> Batch {
    while !Task.isCancelled {
      if let batch = batch(of: world, after: position) { return batch }
      await wait(for: world, after: position)
    }
    return .events([])
  }

  /// Nil when there is nothing yet.
  private func batch(of world: String, after position: Position) -> Batch? {
    let (events, ended) = state.withLock { state -> (Batch?, Bool) in
      if state.hasEnded { return (nil, true) }
      guard let log = state.worlds[world], log.id == position.log, position.number >= log.dropped,
        position.number <= log.newest.number
      else { return (nil, false) }
      let from = log.start + Int(position.number - log.dropped)
      let events = log.events[from..<min(log.events.count, from + EventLog.mostPerBatch)]
      let entries = events.enumerated().map { place, event in
        Entry(position: Position(log: log.id, number: position.number + UInt64(place) + 1), event: event)
      }
      return (.events(entries), false)
    }
    if ended { return .ended }
    guard let events else { return .missed }
    if case .events(let entries) = events, entries.isEmpty { return nil }
    return events
  }

  private func wait(for world: String, after position: Position) async {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state -> Bool in
          // Whatever came in between is there to be read.
          guard !Task.isCancelled, state.worlds[world]?.newest == position else { return false }
          state.worlds[world]?.waiters[number] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { $0.worlds[world]?.waiters.removeValue(forKey: number) }
      waiter?.resume()
    }
  }
}

extension EventLog.Position: LosslessStringConvertible {
  package var description: String { String(log, radix: 16) + "-" + String(number) }

  package init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let log = UInt32(parts[0], radix: 16), let number = UInt64(parts[1]) else { return nil }
    self.init(log: log, number: number)
  }
}
