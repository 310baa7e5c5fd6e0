import Foundation
import Shared
import Wire

/// What a world tells the developer's server, behind the address `W/notifications/W`.
///
/// It decides; the node signs and sends what its state says, and hands it the results.
struct NotificationsActor: StoreActor {
  private let address: ActorAddress
  private(set) var state = NotificationsState()
  /// The number of the last event that was decided or restored.
  private var sequence: UInt64 = 0

  private struct Snapshot: Codable {
    var state: NotificationsState
    var sequence: UInt64
  }

  init(address: ActorAddress) { self.address = address }

  mutating func restore(_ event: JournalEvent) throws {
    sequence = event.sequence
    state.evolve(try JSONDecoder().decode(NotificationsEvent.self, from: event.body), sequence: event.sequence)
  }

  static let dueTimer = "due"

  var timers: [String: StoreTime] { state.nextDue.map { [NotificationsActor.dueTimer: $0] } ?? [:] }

  var snapshot: Data? { WireJSON.encode(Snapshot(state: state, sequence: sequence)) }

  mutating func restore(snapshot: Data) throws {
    let snapshot = try JSONDecoder().decode(Snapshot.self, from: snapshot)
    state = snapshot.state
    sequence = snapshot.sequence
  }

  /// A receiver that is down for days leaves much to be tried: a state of that size is not written every few events.
  var eventsPerSnapshot: UInt64 { max(ActorCell.eventsPerSnapshot, 4 * UInt64(state.open.count)) }

  var isBusy: Bool { !state.queue.isEmpty }

  mutating func receive(_ message: ActorMessage, in context: ActorContext) throws(WireError) -> ActorOutcome {
    let world = try context.store().world
    switch message {
    case .effect(.notify(let content), let source):
      let event = state.decide(
        note: content, account: source.kind == .account ? source.key : nil, uuid: uuid(in: context), at: context.now)
      return commit([event], in: context)
    case .effect(let effect, _): throw .unknownRequest(effect.name, address)
    case .timer(NotificationsActor.dueTimer): return commit(state.decideDue(now: context.now), in: context)
    case .timer: return ActorOutcome()
    case .delivery(let report): return take(report, world, in: context)
    case .request(let name, let body, _): return try answer(name, body, world, in: context)
    }
  }

  private func uuid(in context: ActorContext) -> UUID { context.uuid(number: state.count + 1) }

  /// Signed and tried. A result that is no longer waited for is none.
  private mutating func take(
    _ report: NotificationReport, _ world: WorldSettings, in context: ActorContext
  ) -> ActorOutcome {
    var events: [NotificationsEvent] = report.signed.compactMap { number, payload in
      state.open[number]?.payloadSequence == 0 ? .signed(number: number, payload: payload) : nil
    }
    for (number, attempt) in report.attempts {
      if let event = state.decide(attempt: attempt, of: number, retries: world.retriesNotifications) {
        events.append(event)
      }
    }
    return commit(events, in: context)
  }

  // MARK: Requests

  private mutating func answer(
    _ name: String, _ body: Data, _ world: WorldSettings, in context: ActorContext
  ) throws(WireError) -> ActorOutcome {
    switch name {
    case RequestTestNotification.name:
      _ = try WireJSON.decode(RequestTestNotification.self, from: body)
      guard world.notificationEndpoint != nil else {
        throw .refused(
          .noNotificationURL,
          "world '\(address.world)' has no URL for notifications: set one with 'storefleet notifications url'")
      }
      let test = state.decide(
        note: StoreNotification(.test), account: nil, uuid: uuid(in: context), at: context.now)
      let token = TestNotificationToken(uuid: uuid(in: context), number: state.count + 1)
      var outcome = commit([test], in: context)
      outcome.reply = .body(WireJSON.encode(RequestTestNotification.Reply(testNotificationToken: token.description)))
      return outcome
    case GetTestNotificationStatus.name:
      return .asking(try .test(try WireJSON.decode(GetTestNotificationStatus.self, from: body)))
    case GetNotificationHistory.name:
      let request = try WireJSON.decode(GetNotificationHistory.self, from: body)
      return .asking(try .history(request, world, now: context.now))
    case ListNotifications.name: return .asking(.list(try WireJSON.decode(ListNotifications.self, from: body)))
    case SetNotificationFault.name:
      let fault = try WireJSON.decode(SetNotificationFault.self, from: body).fault
      try fault?.check()
      var outcome = commit(fault == state.fault && state.held.isEmpty ? [] : [.faultChanged(fault)], in: context)
      outcome.reply = .body(WireJSON.encode(Done()))
      return outcome
    case ReadJournal.name: return .reading(try WireJSON.decode(ReadJournal.self, from: body))
    default: throw .unknownRequest(name, address)
    }
  }

  // MARK: Events

  private mutating func commit(_ events: [NotificationsEvent], in context: ActorContext) -> ActorOutcome {
    var outcome = ActorOutcome()
    var rows: [UInt64: StoredNotification] = [:]
    sequence = context.sequence
    for event in events {
      sequence += 1
      let before = event.number.flatMap { state.open[$0] }
      state.evolve(event, sequence: sequence)
      let row = event.number.flatMap { number in
        StoredNotification(state.open[number], after: before, event)
      }
      if let row { rows[row.number] = row }
      let at = event.date(before) ?? context.now
      outcome.events.append(
        .init(
          stored: JournalEvent(name: event.name, at: at.milliseconds, body: WireJSON.encode(event)),
          publication: publication(of: event, row)))
    }
    outcome.notifications = rows.values.sorted { $0.number < $1.number }
    return outcome
  }

  private func publication(of event: NotificationsEvent, _ row: StoredNotification?) -> ActorOutcome.Publication? {
    switch event {
    case .noted, .attempted: row.map { .body(name: event.name, WireJSON.encode(NotificationEntry($0))) }
    case .signed, .due, .faultChanged: nil
    }
  }
}

extension NotificationsEvent {
  /// The one notification that it is about.
  fileprivate var number: UInt64? {
    switch self {
    case .noted(let notification, _, _, _): notification.number
    case .signed(let number, _), .attempted(let number, _, _): number
    case .due, .faultChanged: nil
    }
  }

  /// When it happened, where it says so.
  fileprivate func date(_ notification: OpenNotification?) -> StoreTime? {
    switch self {
    case .noted(let notification, _, _, _): notification.at
    case .signed: notification?.at
    case .due(_, let at): at
    case .attempted(_, let attempt, _): attempt.attemptDate
    case .faultChanged: nil
    }
  }
}

extension StoredNotification {
  /// What is stored of a notification after an event.
  /// - Parameter now: nil when nothing is left to be done.
  fileprivate init?(_ now: OpenNotification?, after before: OpenNotification?, _ event: NotificationsEvent) {
    guard var known = now ?? before else { return nil }
    if now == nil, case .attempted(_, let attempt, _) = event { known.attempts.append(attempt) }
    self.init(
      number: known.number, at: known.at, type: known.type.rawValue, subtype: known.subtype?.rawValue,
      customer: known.customer, isDelivered: known.isDelivered, isOpen: now != nil,
      payloadSequence: known.payloadSequence,
      body: .init(uuid: known.uuid, account: known.account, attempts: known.attempts))
  }
}

extension NotificationEntry {
  init(_ stored: StoredNotification, withPayload: Bool = false) {
    self.init(
      number: stored.number, notificationUUID: stored.body.uuid, notificationType: stored.type,
      subtype: stored.subtype, account: stored.body.account, at: stored.at,
      state: stored.isOpen ? .open : stored.isDelivered ? .delivered : .failed, sendAttempts: stored.body.attempts,
      signedPayload: withPayload ? stored.payloadEvent.flatMap { NotificationsEvent.payload(in: $0) } : nil)
  }
}

extension ActorOutcome {
  fileprivate static func asking(_ question: NotificationQuestion) -> ActorOutcome {
    var outcome = ActorOutcome()
    outcome.reply = .notifications(question)
    return outcome
  }
}
