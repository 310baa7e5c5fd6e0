import HTTPServer
import Shared
import Wire

extension Endpoint {
  static let notifications = [
    Endpoint(.post, "/inApps/v1/notifications/test", .rarely) { call in
      guard call.world.isServed(at: call.base) else { throw APIError.serverNotificationURLNotFound }
      let reply = try await call.askNotifications(RequestTestNotification())
      return APIAnswer.object { $0.put("testNotificationToken", reply.testNotificationToken) }
    },
    Endpoint(.get, "/inApps/v1/notifications/test/{token}", .rarely) { call in
      guard let token = call.request.parameters["token"], token.utf8.count <= 256,
        token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { throw APIError.invalidTestNotificationToken }
      guard call.world.isServed(at: call.base) else { throw APIError.testNotificationNotFound }
      let item = try await call.askNotifications(GetTestNotificationStatus(testNotificationToken: token))
      return APIAnswer.object(capacity: 8_192) { item.write(to: &$0) }
    },
    Endpoint(.post, "/inApps/v1/notifications/history") { call in
      guard let now = await call.node.now(in: call.world.name) else { throw APIError.generalInternalRetryable }
      let query = try NotificationQuery(
        try APIBody(call.request), paginationToken: call.request.query("paginationToken"), now: now)
      if let id = query.transactionId, try await call.find(id) == nil { throw APIError.transactionIdNotFound }
      var page = GetNotificationHistory.Reply(notificationHistory: [], hasMore: false, paginationToken: nil)
      if call.world.isServed(at: call.base) { page = try await call.askNotifications(query.message) }
      let items = page.notificationHistory
      let (hasMore, token) = (page.hasMore, page.paginationToken)
      return APIAnswer.object(capacity: 256 + 8_192 * items.count) {
        $0.putAll("notificationHistory", objects: items) { $0.write(to: &$1) }
        $0.put("hasMore", hasMore)
        $0.put("paginationToken", token)
      }
    },
  ]
}

extension APICall {
  /// Asks whoever sends the world's notifications.
  fileprivate func askNotifications<Message: Request>(_ message: Message) async throws -> Message.Reply {
    do throws(WireError) {
      return try await node.ask(message, of: .notifications(of: world.name))
    } catch {
      throw error.refusal.flatMap(APIError.init(ofNotifications:)) ?? error
    }
  }
}

extension APIError {
  /// What the API says where the store's notifications refuse.
  fileprivate init?(ofNotifications refusal: Refusal) {
    switch refusal {
    case .noNotificationURL: self = .serverNotificationURLNotFound
    case .badTestNotificationToken: self = .invalidTestNotificationToken
    case .testNotificationNotFound: self = .testNotificationNotFound
    case .startDateTooFarInPast: self = .startDateTooFarInPast
    case .startDateAfterEndDate: self = .startDateAfterEndDate
    case .badPaginationToken: self = .invalidPaginationToken
    case .badNotificationType: self = .invalidNotificationType
    case .multipleFilters: self = .multipleFiltersSupplied
    case .unknownTransaction: self = .transactionIdNotFound
    default: return nil
    }
  }
}

extension NotificationQuery {
  fileprivate var message: GetNotificationHistory {
    GetNotificationHistory(
      startDate: startDate, endDate: endDate, notificationType: type, notificationSubtype: subtype,
      transactionId: transactionId?.description, onlyFailures: onlyFailures, paginationToken: paginationToken)
  }
}

extension NotificationHistoryItem {
  fileprivate func write(to json: inout JSONObjectWriter) {
    json.put("signedPayload", signedPayload)
    json.putAll("sendAttempts", objects: sendAttempts) {
      $1.put("attemptDate", $0.attemptDate)
      $1.put("sendAttemptResult", $0.sendAttemptResult.rawValue)
    }
  }
}
