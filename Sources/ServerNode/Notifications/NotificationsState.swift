import Foundation
import Shared
import Wire

/// A world's notifications, as far as they are still to be tried. The fold of its events; what is done with is in the
/// journal alone.
struct NotificationsState: Hashable, Sendable, Codable {
  /// How many there were.
  private(set) var count: UInt64 = 0
  private(set) var open: [UInt64: OpenNotification] = [:]
  /// Those that are to be sent, in this order.
  private(set) var queue: [UInt64] = []
  /// Those that a fault holds back, in the order in which they came.
  private(set) var held: [UInt64] = []
  private(set) var fault: NotificationFault?

  /// - Parameter sequence: the event's number.
  mutating func evolve(_ event: NotificationsEvent, sequence: UInt64) {
    switch event {
    case .noted(let notification, let placement, let fault, let releases):
      count = max(count, notification.number)
      open[notification.number] = notification
      switch placement {
      case .send: queue.append(notification.number)
      case .wait: break
      case .hold: held.append(notification.number)
      }
      if fault != nil, let left = self.fault?.count { self.fault = left > 1 ? self.fault?.withCount(left - 1) : nil }
      if releases { release() }
    case .signed(let number, _):
      open[number]?.payloadSequence = sequence
      open[number]?.content = nil
    case .due(let numbers, let at):
      for number in numbers where open[number]?.dueAt != nil {
        open[number]?.dueAt = nil
        open[number]?.since = at
        open[number]?.hasWaited = true
        queue.append(number)
      }
    case .attempted(let number, let attempt, let again):
      guard open[number] != nil else { return }
      open[number]?.attempts.append(attempt)
      queue.removeAll { $0 == number }
      if let again {
        open[number]?.dueAt = again
      } else if attempt.sendAttemptResult == .success, let repeats = open[number]?.repeats, repeats > 0 {
        open[number]?.repeats = repeats - 1
        queue.append(number)
      } else {
        open[number] = nil
      }
    case .faultChanged(let fault):
      self.fault = fault
      release()
    }
  }

  private mutating func release() {
    queue += held.reversed()
    held = []
  }

  /// The next time that a wait ends: one durable timer for all of them.
  var nextDue: StoreTime? { open.values.lazy.compactMap(\.dueAt).min() }

  /// Up to when a clock that is moved may go before something of this is tried: a try that failed may have its next one
  /// then. Nil for as far as it likes.
  func horizon(retries: Bool) -> StoreTime? {
    var horizon: StoreTime?
    for number in queue {
      guard let notification = open[number] else { continue }
      let end: StoreTime
      if notification.hasWaited {
        end = notification.since
      } else if retries {
        end = notification.since.advanced(by: OpenNotification.retryHours[0] * OpenNotification.hour)
      } else {
        continue
      }
      horizon = min(horizon ?? end, end)
    }
    return horizon
  }

  // MARK: Decisions

  /// Something is to be told.
  func decide(note content: StoreNotification, account: String?, uuid: UUID, at: StoreTime) -> NotificationsEvent {
    var notification = OpenNotification(
      number: count + 1, uuid: uuid, content: content, account: account, at: at, lane: account ?? "")
    let chosen = fault.flatMap { $0.happens(to: uuid) ? $0 : nil }
    // Behind it goes what a share of all was held back for.
    var releases = chosen == nil && !held.isEmpty && fault?.percent != nil
    var placement = NotificationsEvent.Placement.send
    switch chosen?.kind {
    case .duplicate: notification.repeats = 1
    case .drop: notification.isDropped = true
    case .delay:
      placement = .wait
      notification.dueAt = at.advanced(by: chosen?.delayMilliseconds ?? 0)
    case .reorder:
      placement = .hold
      releases = chosen?.count == 1
    case nil: break
    }
    // One lane, so that they arrive in the order in which they are sent.
    if placement == .hold || releases { notification.lane = NotificationsState.reorderedLane }
    return .noted(notification, placement, fault: chosen?.kind, releases: releases)
  }

  private static let reorderedLane = ""

  /// - Parameter retries: whether the environment has any.
  func decide(attempt: SendAttempt, of number: UInt64, retries: Bool) -> NotificationsEvent? {
    guard let notification = open[number], queue.contains(number) else { return nil }
    guard attempt.sendAttemptResult != .success, retries, !notification.isDelivered,
      notification.failures < OpenNotification.retryHours.count
    else { return .attempted(number: number, attempt, again: nil) }
    let wait = OpenNotification.retryHours[notification.failures] * OpenNotification.hour
    return .attempted(number: number, attempt, again: attempt.attemptDate.advanced(by: wait))
  }

  func decideDue(now: StoreTime) -> [NotificationsEvent] {
    let due = open.values.filter { $0.dueAt.map { $0 <= now } ?? false }
    let numbers = due.sorted { ($0.dueAt ?? now, $0.number) < ($1.dueAt ?? now, $1.number) }.map(\.number)
    return numbers.isEmpty ? [] : [.due(numbers, at: now)]
  }
}

extension NotificationFault {
  fileprivate func withCount(_ count: Int) -> NotificationFault {
    var fault = self
    fault.count = count
    return fault
  }

  /// A share of all is chosen by what is random in a notification's id.
  fileprivate func happens(to uuid: UUID) -> Bool {
    guard let percent else { return count ?? 0 > 0 }
    return withUnsafeBytes(of: uuid.uuid) { Int($0[15]) | Int($0[14]) << 8 } % 100 < percent
  }

  func check() throws(WireError) {
    guard (count == nil) != (percent == nil) else {
      throw WireError(.badBody, "a fault says either how many notifications it happens to or which percentage of them")
    }
    if let count, !NotificationFault.countsAllowed.contains(count) {
      throw WireError(.badBody, "a fault happens to 1 to 1000 notifications, not to \(count)")
    }
    if let percent, !NotificationFault.percentsAllowed.contains(percent) {
      throw WireError(.badBody, "a fault happens to 1 to 100 percent of the notifications, not to \(percent)")
    }
    guard (kind == .delay) == (delayMilliseconds != nil),
      delayMilliseconds.map(NotificationFault.delaysAllowed.contains) ?? true
    else { throw WireError(.badBody, "a delay, and nothing else, says how long: up to a year of store time") }
  }
}
