import Foundation
import Shared
import Wire

/// Signs and sends a world's notifications as their actor's state says, and hands it the results.
extension ServerNodeCore {
  /// Begins what there is to do and room for. Only what is on disk is signed or sent.
  mutating func driveNotifications(_ world: String) {
    let address = ActorAddress.notifications(of: world)
    guard isOpen(world), let cell = cells[address], case .ready = cell.phase,
      let state = (cell.actor as? NotificationsActor)?.state, let settings = worlds[world]?.settings
    else { return }
    sign(state, of: world, settings)
    send(state, of: world, settings)
  }

  private mutating func sign(_ state: NotificationsState, of world: String, _ settings: WorldSettings) {
    guard let runtime = worlds[world]?.notifications else { return }
    let room = NotificationRuntime.mostSigned - runtime.payloads.count - runtime.signing.count
    guard room > 0 else { return }
    let unsigned = state.queue.lazy.compactMap { state.open[$0] }.filter {
      $0.content != nil && !runtime.signing.contains($0.number)
    }
    let wanted = Array(unsigned.prefix(room))
    let jobs = wanted.compactMap { notification in
      notification.content.map { content in
        SigningJob(
          subject: .notification(content, uuid: notification.uuid), bundleId: settings.bundleId,
          environment: settings.environment, signedDate: notification.at, device: nil)
      }
    }
    guard !jobs.isEmpty else { return }
    let numbers = wanted.map(\.number)
    worlds[world]?.notifications.signing.formUnion(numbers)
    emit(.sign(begin(.signing(numbers), world), world: world, jobs))
  }

  private mutating func send(_ state: NotificationsState, of world: String, _ settings: WorldSettings) {
    var lanes = Set((worlds[world]?.notifications.sending ?? [:]).values)
    for number in state.queue {
      guard worlds[world]?.notifications.sending.count ?? 0 < NotificationRuntime.mostSending else { break }
      // What comes first in its lane keeps the others waiting, signed or not.
      guard let notification = state.open[number], lanes.insert(notification.lane).inserted,
        notification.content == nil
      else { continue }
      begin(notification, settings)
    }
    report(world)
  }

  private mutating func begin(_ notification: OpenNotification, _ settings: WorldSettings) {
    let world = settings.world
    let number = notification.number
    worlds[world]?.notifications.sending[number] = notification.lane
    // Where the clock is moved, a try is made when it is due, however long that takes.
    let isManual = worlds[world]?.state?.manualNow != nil
    let at = isManual ? notification.since : max(notification.since, moment.wall)
    if notification.isDropped, notification.attempts.isEmpty {
      return note(.failed(.socketIssue), of: number, at: at, in: world)
    }
    guard let endpoint = settings.notificationEndpoint else {
      return note(.failed(.other), of: number, at: at, in: world)
    }
    if endpoint.url == NotificationEndpoint.accept {
      return note(.answered(status: 200), of: number, at: at, in: world)
    }
    if let payload = worlds[world]?.notifications.payloads[number] {
      return post(payload, of: number, at: at, to: endpoint, in: world)
    }
    let address = ActorAddress.notifications(of: world)
    emit(
      .read(
        begin(.reading(number, at: at), world), actor: address, after: notification.payloadSequence - 1, limit: 1))
  }

  private mutating func post(
    _ payload: Data, of number: UInt64, at: StoreTime, to endpoint: NotificationEndpoint, in world: String
  ) {
    // A JWS has no character that JSON would escape.
    let body = Data(#"{"signedPayload":""#.utf8) + payload + Data(#""}"#.utf8)
    let timeout = endpoint.timeoutMilliseconds ?? NotificationEndpoint.usualTimeout
    emit(
      .post(
        begin(.sending(number, at: at), world),
        NotificationPost(
          url: endpoint.url, body: body, timeoutMilliseconds: timeout, trustedCertificates: endpoint.trustedCertificates
        )))
  }

  private mutating func begin(_ kind: NotificationWork.Kind, _ world: String) -> Ticket {
    let ticket = ticket()
    notificationWork[ticket] = NotificationWork(world: world, epoch: worlds[world]?.epoch ?? 1, kind: kind)
    return ticket
  }

  // MARK: Results

  /// Nil when nobody waits for it any more: the world was reset.
  private mutating func end(_ ticket: Ticket) -> NotificationWork? {
    guard let work = notificationWork.removeValue(forKey: ticket), worlds[work.world]?.epoch == work.epoch else {
      return nil
    }
    return work
  }

  /// - Returns: false for a signature of something else.
  mutating func finishNotificationSigning(_ ticket: Ticket, _ result: Result<[Data], ServerNodeError>) -> Bool {
    guard notificationWork[ticket] != nil else { return false }
    guard let work = end(ticket), case .signing(let numbers) = work.kind else { return true }
    switch result {
    case .success(let payloads):
      for (number, payload) in zip(numbers, payloads) {
        worlds[work.world]?.notifications.payloads[number] = payload
        worlds[work.world]?.notifications.report.signed.append((number, String(decoding: payload, as: UTF8.self)))
      }
      report(work.world)
    case .failure(let error):
      emit(.log("notifications of world '\(work.world)' could not be signed: \(error.message)"))
      worlds[work.world]?.notifications.signing.subtract(numbers)
      tryNotificationsAgain(work.world)
    }
    return true
  }

  /// - Returns: false for a read of something else.
  mutating func finishPayloadRead(_ ticket: Ticket, _ result: Result<[JournalEvent], JournalError>) -> Bool {
    guard notificationWork[ticket] != nil else { return false }
    guard let work = end(ticket), case .reading(let number, let at) = work.kind else { return true }
    let payload = (try? result.get())?.first.flatMap { NotificationsEvent.payload(in: $0.body) }
    if let payload, let endpoint = worlds[work.world]?.settings?.notificationEndpoint {
      post(Data(payload.utf8), of: number, at: at, to: endpoint, in: work.world)
    } else {
      emit(.log("notification \(number) of world '\(work.world)' cannot be read, and is tried again"))
      worlds[work.world]?.notifications.sending[number] = nil
      tryNotificationsAgain(work.world)
    }
    return true
  }

  mutating func posted(_ ticket: Ticket, _ outcome: NotificationPost.Outcome) {
    guard let work = end(ticket), case .sending(let number, let at) = work.kind else { return }
    count { $0.notificationAttempts[outcome.result, default: 0] += 1 }
    note(outcome, of: number, at: at, in: work.world)
    report(work.world)
  }

  private mutating func note(
    _ outcome: NotificationPost.Outcome, of number: UInt64, at: StoreTime, in world: String
  ) {
    let attempt = SendAttempt(attemptDate: at, sendAttemptResult: outcome.result)
    worlds[world]?.notifications.report.attempts.append((number, attempt))
  }

  /// Results go to the actor together, one report at a time.
  private mutating func report(_ world: String) {
    guard let runtime = worlds[world]?.notifications, !runtime.isReporting, !runtime.report.isEmpty else { return }
    worlds[world]?.notifications.isReporting = true
    worlds[world]?.notifications.report = NotificationReport(epoch: runtime.report.epoch)
    deliver(.delivery(runtime.report), to: .notifications(of: world))
  }

  /// A report is on disk, or was not taken.
  mutating func finishReport(_ report: NotificationReport, _ world: String) {
    guard report.epoch == worlds[world]?.epoch else { return }
    worlds[world]?.notifications.isReporting = false
    for (number, _) in report.signed { worlds[world]?.notifications.signing.remove(number) }
    for (number, _) in report.attempts {
      worlds[world]?.notifications.sending[number] = nil
      worlds[world]?.notifications.payloads[number] = nil
    }
    self.report(world)
  }

  private mutating func tryNotificationsAgain(_ world: String) {
    let nothing = NotificationReport(epoch: worlds[world]?.epoch ?? 1)
    retries.append(
      (
        moment.monotonic + ServerNodeCore.retryMilliseconds, ActorAddress.notifications(of: world), .delivery(nothing)
      ))
  }

  // MARK: The clock

  /// Whether a timer of that time may be played: a manual clock waits for tries whose result may bring a timer before it,
  /// and does not run far ahead of what is to be sent.
  ///
  /// What is due at the same time may be tried at the same time.
  func notificationsAllow(timerAt due: StoreTime, in world: String, batch: Ticket? = nil) -> Bool {
    switch notificationHorizon(of: world, batch) {
    case .none: true
    case .unknown: false
    case .at(let horizon): due <= horizon
    }
  }

  /// Whether a jump that reaches until `now` may be over, as far as notifications are concerned.
  func notificationsAllow(endAt now: StoreTime, in world: String) -> Bool {
    switch notificationHorizon(of: world, nil) {
    case .none: true
    case .unknown: false
    case .at(let horizon): now < horizon
    }
  }

  /// Whether there may be notifications at all: asked once where much is played.
  func mayNotify(_ world: String) -> Bool {
    worlds[world]?.settings?.notificationEndpoint != nil || cells[.notifications(of: world)] != nil
  }

  private enum Horizon {
    case none
    /// Something has to be on disk first, or to be sent.
    case unknown
    case at(StoreTime)
  }

  /// - Parameter batch: of the timers that are being played, which may have changed the actor.
  private func notificationHorizon(of world: String, _ batch: Ticket?) -> Horizon {
    guard let runtime = worlds[world], runtime.state?.manualNow != nil, let settings = runtime.settings else {
      return .none
    }
    guard !runtime.notifications.awaitsActor else { return .unknown }
    guard let cell = cells[.notifications(of: world)] else { return .none }
    switch cell.phase {
    case .ready: break
    case .committing(let ticket) where ticket == batch: break
    case .committing, .loading, .reading: return .unknown
    }
    guard let state = (cell.actor as? NotificationsActor)?.state else { return .none }
    guard state.queue.count < NotificationRuntime.mostQueued else { return .unknown }
    return state.horizon(retries: settings.retriesNotifications).map { .at($0) } ?? .none
  }

  /// Whether nothing is on its way, as far as a world that has settled is concerned.
  func notificationsAreQuiet(_ world: String) -> Bool {
    guard let runtime = worlds[world]?.notifications, !runtime.awaitsActor else { return false }
    guard let cell = cells[.notifications(of: world)] else { return true }
    guard case .ready = cell.phase, let state = (cell.actor as? NotificationsActor)?.state else { return false }
    return state.queue.isEmpty
  }

  /// What was to be tried when the node stopped is tried now.
  mutating func wakeNotifications(_ world: String) {
    guard worlds[world]?.notifications.awaitsActor == true else { return }
    wake(.notifications(of: world))
  }

  mutating func notificationsLoaded(_ world: String) {
    worlds[world]?.notifications.awaitsActor = false
    driveNotifications(world)
    pump(world)
  }

  // MARK: Questions

  mutating func ask(_ question: NotificationQuestion, _ asker: Asker, of address: ActorAddress) {
    let ticket = ticket()
    notificationReads[ticket] = (asker, question)
    emit(.readNotifications(ticket, actor: address, question.query))
  }

  mutating func finishNotificationRead(_ ticket: Ticket, _ result: Result<NotificationPage, JournalError>) {
    guard let (asker, question) = notificationReads.removeValue(forKey: ticket) else { return }
    do throws(WireError) {
      let page = try result.mapError { WireError(.unavailable, $0.message) }.get()
      reply(asker, .success(try question.answer(page)))
    } catch {
      reply(asker, .failure(error))
    }
  }
}

extension NotificationQuestion {
  fileprivate func answer(_ page: NotificationPage) throws(WireError) -> Data {
    switch kind {
    case .test(let uuid):
      guard let found = page.notifications.first, found.body.uuid == uuid, let item = NotificationHistoryItem(found),
        !item.sendAttempts.isEmpty
      else {
        throw .refused(
          .testNotificationNotFound, "there is no such test notification, or it was not sent yet: ask again")
      }
      return WireJSON.encode(item)
    case .history(let filters):
      let token = page.notifications.last.map { PaginationToken.make(after: $0.number, filters) }
      return WireJSON.encode(
        GetNotificationHistory.Reply(
          notificationHistory: page.notifications.compactMap { NotificationHistoryItem($0) }, hasMore: page.hasMore,
          paginationToken: page.hasMore ? token : nil))
    case .list(let withPayloads):
      return WireJSON.encode(
        ListNotifications.Reply(
          notifications: page.notifications.map { NotificationEntry($0, withPayload: withPayloads) },
          hasMore: page.hasMore))
    }
  }
}

extension NotificationHistoryItem {
  /// Nil for one that is not signed yet.
  fileprivate init?(_ stored: StoredNotification) {
    guard let payload = stored.payloadEvent.flatMap({ NotificationsEvent.payload(in: $0) }) else { return nil }
    self.init(signedPayload: payload, sendAttempts: stored.body.attempts)
  }
}
