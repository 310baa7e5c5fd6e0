import HTTPServer
import Shared

extension Endpoint {
  static let notifications = [
    Endpoint(.post, "/inApps/v1/notifications/test", .rarely) { call in
      guard call.world.isServed(at: call.base),
        let token = try await call.notifications.sendTest(in: call.world.name)
      else { throw APIError.serverNotificationURLNotFound }
      return APIAnswer.object { $0.put("testNotificationToken", token) }
    },
    Endpoint(.get, "/inApps/v1/notifications/test/{token}", .rarely) { call in
      guard let token = call.request.parameters["token"], token.utf8.count <= 256,
        token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { throw APIError.invalidTestNotificationToken }
      guard call.world.isServed(at: call.base),
        let entry = try await call.notifications.test(token, in: call.world.name)
      else { throw APIError.testNotificationNotFound }
      return APIAnswer.object(capacity: 8_192) { entry.write(to: &$0) }
    },
    Endpoint(.post, "/inApps/v1/notifications/history") { call in
      guard let now = await call.node.now(in: call.world.name) else { throw APIError.generalInternalRetryable }
      let query = try NotificationQuery(
        try APIBody(call.request), paginationToken: call.request.query("paginationToken"), now: now)
      if let id = query.transactionId, try await call.find(id) == nil { throw APIError.transactionIdNotFound }
      let page: NotificationPage
      do {
        page =
          call.world.isServed(at: call.base)
          ? try await call.notifications.history(query, in: call.world.name) : NotificationPage(entries: [])
      } catch is NotificationQuery.BadToken { throw APIError.invalidPaginationToken }
      return APIAnswer.object(capacity: 256 + 8_192 * page.entries.count) {
        $0.putAll("notificationHistory", objects: page.entries) { $0.write(to: &$1) }
        $0.put("hasMore", page.nextToken != nil)
        $0.put("paginationToken", page.nextToken)
      }
    },
  ]
}

extension NotificationEntry {
  fileprivate func write(to json: inout JSONObjectWriter) {
    json.put("signedPayload", signedPayload)
    json.putAll("sendAttempts", objects: attempts) {
      $1.put("attemptDate", $0.date)
      $1.put("sendAttemptResult", $0.result)
    }
  }
}
