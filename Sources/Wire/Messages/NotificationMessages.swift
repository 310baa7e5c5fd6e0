package import Foundation
package import Shared

// What a world tells the developer's server: App Store Server Notifications V2. To `W/notifications/W` where nothing
// else is said.

/// To `W/world/W`: where notifications go. What waits for another try goes to the new URL.
package struct SetNotificationURL: Request, Hashable {
  package static let name = "setNotificationURL"
  package typealias Reply = Done
  /// Nil for the one of the world's environment; without a URL either, for both.
  package var kind: NotificationURLs.Kind?
  /// Nil: nowhere; nothing is sent or kept from then on.
  package var endpoint: NotificationEndpoint?

  package init(_ endpoint: NotificationEndpoint?, kind: NotificationURLs.Kind? = nil) {
    self.endpoint = endpoint
    self.kind = kind
  }
}

/// Apple: Request a Test Notification.
package struct RequestTestNotification: Request {
  package static let name = "requestTestNotification"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    package var testNotificationToken: String
    package init(testNotificationToken: String) { self.testNotificationToken = testNotificationToken }
  }
}

/// Apple: Get Test Notification Status.
package struct GetTestNotificationStatus: Request {
  package static let name = "getTestNotificationStatus"
  package typealias Reply = NotificationHistoryItem
  package var testNotificationToken: String
  package init(testNotificationToken: String) { self.testNotificationToken = testNotificationToken }
}

/// Apple: Get Notification History; oldest first.
package struct GetNotificationHistory: Request, Hashable {
  package static let name = "getNotificationHistory"
  /// 180 days ago at the most; in a sandbox, 30.
  package var startDate: StoreTime
  /// One in the future counts as now.
  package var endDate: StoreTime
  package var notificationType: String?
  /// Only with its type.
  package var notificationSubtype: String?
  /// Any transaction of a customer, or their app transaction; not together with a type.
  package var transactionId: String?
  package var onlyFailures: Bool?
  package var paginationToken: String?

  package init(
    startDate: StoreTime, endDate: StoreTime, notificationType: String? = nil, notificationSubtype: String? = nil,
    transactionId: String? = nil, onlyFailures: Bool? = nil, paginationToken: String? = nil
  ) {
    self.startDate = startDate
    self.endDate = endDate
    self.notificationType = notificationType
    self.notificationSubtype = notificationSubtype
    self.transactionId = transactionId
    self.onlyFailures = onlyFailures
    self.paginationToken = paginationToken
  }

  package static let mostPerPage = 20

  package struct Reply: Codable, Hashable, Sendable {
    package var notificationHistory: [NotificationHistoryItem]
    package var hasMore: Bool
    /// Set when there is more.
    package var paginationToken: String?

    package init(notificationHistory: [NotificationHistoryItem], hasMore: Bool, paginationToken: String?) {
      self.notificationHistory = notificationHistory
      self.hasMore = hasMore
      self.paginationToken = paginationToken
    }
  }
}

package struct NotificationHistoryItem: Codable, Hashable, Sendable {
  /// A JWS: the bytes of every try.
  package var signedPayload: String
  package var sendAttempts: [SendAttempt]

  package init(signedPayload: String, sendAttempts: [SendAttempt]) {
    self.signedPayload = signedPayload
    self.sendAttempts = sendAttempts
  }
}

/// One try to deliver a notification (Apple: sendAttemptItem).
package struct SendAttempt: Codable, Hashable, Sendable {
  package var attemptDate: StoreTime
  package var sendAttemptResult: SendAttemptResult

  package init(attemptDate: StoreTime, sendAttemptResult: SendAttemptResult) {
    self.attemptDate = attemptDate
    self.sendAttemptResult = sendAttemptResult
  }
}

/// Apple: sendAttemptResult.
package enum SendAttemptResult: String, Codable, Hashable, Sendable, CaseIterable {
  case success = "SUCCESS"
  case timedOut = "TIMED_OUT"
  case tlsIssue = "TLS_ISSUE"
  case circularRedirect = "CIRCULAR_REDIRECT"
  case noResponse = "NO_RESPONSE"
  case socketIssue = "SOCKET_ISSUE"
  case unsupportedCharset = "UNSUPPORTED_CHARSET"
  case invalidResponse = "INVALID_RESPONSE"
  case prematureClose = "PREMATURE_CLOSE"
  case unsuccessfulHTTPResponseCode = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
  case other = "OTHER"
}

/// From a control connection: all that was ever noted, oldest first, whatever the dates.
package struct ListNotifications: Request {
  package static let name = "listNotifications"
  /// Begins after this number; 0 for the first.
  package var after: UInt64
  package var limit: Int
  /// Whether the signed payloads are wanted too.
  package var withPayloads: Bool?

  package static let mostPerPage = 200

  package init(after: UInt64 = 0, limit: Int = ListNotifications.mostPerPage, withPayloads: Bool? = nil) {
    self.after = after
    self.limit = limit
    self.withPayloads = withPayloads
  }

  package struct Reply: Codable, Hashable, Sendable {
    package var notifications: [NotificationEntry]
    package var hasMore: Bool

    package init(notifications: [NotificationEntry], hasMore: Bool) {
      self.notifications = notifications
      self.hasMore = hasMore
    }
  }
}

/// A notification and what became of it; also published on the topic of `W/notifications/W` whenever that changes.
package struct NotificationEntry: Codable, Hashable, Sendable {
  package enum State: String, Codable, Hashable, Sendable, CaseIterable {
    /// It is sent now, or waits for another try.
    case open
    case delivered
    /// No try is left.
    case failed
  }

  /// Counts from 1 in each world.
  package var number: UInt64
  package var notificationUUID: UUID
  package var notificationType: String
  package var subtype: String?
  /// Whom it is about; nil for a test or a summary.
  package var account: String?
  /// When it happened: the signed date.
  package var at: StoreTime
  package var state: State
  package var sendAttempts: [SendAttempt]
  package var signedPayload: String?

  package init(
    number: UInt64, notificationUUID: UUID, notificationType: String, subtype: String?, account: String?,
    at: StoreTime, state: State, sendAttempts: [SendAttempt], signedPayload: String? = nil
  ) {
    self.number = number
    self.notificationUUID = notificationUUID
    self.notificationType = notificationType
    self.subtype = subtype
    self.account = account
    self.at = at
    self.state = state
    self.sendAttempts = sendAttempts
    self.signedPayload = signedPayload
  }

  /// The event's name when it was noted, and after each try.
  package static let noted = "noted"
  package static let attempted = "attempted"
}

/// Something goes wrong on the way to the developer's server. A new fault takes the place of the one before; none sends
/// what is held back.
package struct SetNotificationFault: Request, Hashable {
  package static let name = "setNotificationFault"
  package typealias Reply = Done
  package var fault: NotificationFault?
  package init(_ fault: NotificationFault?) { self.fault = fault }
}

package struct NotificationFault: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
    /// Is sent once more after it has arrived.
    case duplicate
    /// Is sent later.
    case delay
    /// Those that are counted are held back and then sent in reverse; a share goes behind the next that is not of it.
    case reorder
    /// The first try gets lost on the way.
    case drop
  }

  package var kind: Kind
  /// The next ones; or `percent`.
  package var count: Int?
  /// The share that it happens to, 1 to 100.
  package var percent: Int?
  /// Of store time: for `delay`.
  package var delayMilliseconds: Int64?

  package init(_ kind: Kind, count: Int? = nil, percent: Int? = nil, delayMilliseconds: Int64? = nil) {
    self.kind = kind
    self.count = count
    self.percent = percent
    self.delayMilliseconds = delayMilliseconds
  }

  package static let countsAllowed = 1...1_000
  package static let percentsAllowed = 1...100
  package static let delaysAllowed: ClosedRange<Int64> = 1...31_536_000_000
}
