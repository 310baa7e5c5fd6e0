import Foundation
import Synchronization
import Wire

/// Counts what passes a node's sockets: requests with their outcomes and how long they took, and events.
final class RequestMeter: Sendable {
  private struct Pending {
    var name: Data
    var start: ContinuousClock.Instant
  }

  private struct State {
    /// Requests that were not answered yet, by the bytes of their ids.
    var pending: [Data: Pending] = [:]
    /// By name and outcome.
    var requests: [Data: [Data: UInt64]] = [:]
    var handling: [Data: LatencyHistogram] = [:]
    /// By kind and name.
    var events: [Data: [Data: UInt64]] = [:]
  }

  /// Peers may send any name: those beyond this many count as `other`.
  private static let mostNames = 200
  private static let other = Data("other".utf8)
  /// Beyond this many requests without an answer, new ones are not measured.
  private static let mostPending = 100_000
  /// Whoever asked for this long got no answer and gets none any more.
  private static let longest = Duration.seconds(600)

  private let state = Mutex(State())

  /// Notes a request; anything else is passed over.
  func received(_ frames: [Data]) {
    guard frames.count >= 5, frames[0].count == 8, frames[0][frames[0].startIndex + 3] == Frames.Kind.request.rawValue
    else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      if state.pending.count >= RequestMeter.mostPending {
        state.pending = state.pending.filter { $0.value.start > now - RequestMeter.longest }
        guard state.pending.count < RequestMeter.mostPending else { return }
      }
      state.pending[frames[1]] = Pending(name: frames[3], start: now)
    }
  }

  /// Notes a reply; requests that are passed on are passed over.
  func sent(_ frames: [Data]) {
    guard frames.count >= 4, ReplyFrames.isReply(frames) else { return }
    state.withLock { state in
      guard let request = state.pending.removeValue(forKey: frames[1]) else { return }
      let isKnown = state.requests[request.name] != nil || state.requests.count < RequestMeter.mostNames
      let name = isKnown ? request.name : RequestMeter.other
      state.requests[name, default: [:]][frames[2], default: 0] += 1
      state.handling[name, default: LatencyHistogram()].add(ContinuousClock.now - request.start)
    }
  }

  /// Notes an event.
  func published(_ frames: [Data]) {
    guard frames.count >= 4 else { return }
    let parts = frames[0].split(separator: UInt8(ascii: "/"), maxSplits: 2)
    let kind = parts.count == 3 ? Data(parts[1]) : Data("node".utf8)
    state.withLock { $0.events[kind, default: [:]][frames[2], default: 0] += 1 }
  }

  func read(into measurements: inout ServerMeasurements) {
    let state = state.withLock { $0 }
    func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
    for (name, outcomes) in state.requests {
      for (outcome, count) in outcomes { measurements.requests[text(name), default: [:]][text(outcome)] = count }
    }
    for (name, histogram) in state.handling { measurements.handling[text(name)] = histogram }
    for (kind, names) in state.events {
      for (name, count) in names { measurements.events[text(kind), default: [:]][text(name)] = count }
    }
    measurements.requestsInHand = state.pending.count
  }
}
