package import Shared

/// What the API asks of whoever sends notifications.
package protocol NotificationDesk: Sendable {
  /// Sends a TEST notification and returns its token; nil when the world has no notification URL.
  func sendTest(in world: String) async throws -> String?
  /// What became of a test; nil for a token that is unknown, or whose notification was not sent yet.
  func test(_ token: String, in world: String) async throws -> NotificationEntry?
  /// - Throws: `NotificationQuery.BadToken` for a pagination token that is none of its own.
  func history(_ query: NotificationQuery, in world: String) async throws -> NotificationPage
}

/// A notification, and how often it was tried to send it.
package struct NotificationEntry: Hashable, Sendable {
  package struct Attempt: Hashable, Sendable {
    package var date: StoreTime
    /// Apple: sendAttemptResult, such as `SUCCESS`.
    package var result: String

    package init(date: StoreTime, result: String) {
      self.date = date
      self.result = result
    }
  }

  /// Compact JWS.
  package var signedPayload: String
  package var attempts: [Attempt]

  package init(signedPayload: String, attempts: [Attempt]) {
    self.signedPayload = signedPayload
    self.attempts = attempts
  }
}

package struct NotificationPage: Hashable, Sendable {
  /// 20 at most.
  package var entries: [NotificationEntry]
  /// Nil at the end.
  package var nextToken: String?

  package init(entries: [NotificationEntry], nextToken: String? = nil) {
    self.entries = entries
    self.nextToken = nextToken
  }
}

/// A node that sends no notifications.
package struct NoNotifications: NotificationDesk {
  package init() {}
  package func sendTest(in world: String) -> String? { nil }
  package func test(_ token: String, in world: String) -> NotificationEntry? { nil }
  package func history(_ query: NotificationQuery, in world: String) throws -> NotificationPage {
    guard query.paginationToken == nil else { throw NotificationQuery.BadToken() }
    return NotificationPage(entries: [])
  }
}
