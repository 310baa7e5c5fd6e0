import Foundation
import Wire

/// The control requests that a node has taken: which it still works on, and what it answered lately, so that a repeated
/// one is not done twice.
struct ControlDesk: Sendable {
  /// Requests that wait for a launch, a kill, a tap's end, a reading of the screen; by device.
  var launching: [String: [RequestID]] = [:]
  var killing: [String: [RequestID]] = [:]
  var taps: [String: [RequestID]] = [:]
  var inspecting: [String: [RequestID]] = [:]

  private var open: Set<RequestID> = []
  private var answered: [RequestID: [Data]] = [:]
  private var order: [RequestID] = []

  /// How many answers are kept: more than a server has open towards one node at a time.
  static let keptAnswers = 1_024

  enum Admission {
    case new
    /// Being worked on.
    case open
    case answered([Data])
  }

  mutating func admit(_ id: RequestID) -> Admission {
    if let frames = answered[id] { return .answered(frames) }
    return open.insert(id).inserted ? .new : .open
  }

  /// - Returns: false when the request was answered before.
  mutating func close(_ id: RequestID, _ frames: [Data]) -> Bool {
    guard open.remove(id) != nil else { return false }
    answered[id] = frames
    order.append(id)
    if order.count > 2 * ControlDesk.keptAnswers {
      for old in order.prefix(ControlDesk.keptAnswers) { answered[old] = nil }
      order.removeFirst(ControlDesk.keptAnswers)
    }
    return true
  }
}
