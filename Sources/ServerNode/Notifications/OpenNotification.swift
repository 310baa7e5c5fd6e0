package import Foundation
package import Shared
package import Wire

/// A notification that is still to be tried.
package struct OpenNotification: Hashable, Sendable, Codable {
  package var number: UInt64
  /// The same at each try.
  package var uuid: UUID
  package var type: NotificationType
  package var subtype: NotificationSubtype?
  package var account: String?
  package var customer: UInt64
  /// When it happened.
  package var at: StoreTime
  /// Those of one lane are sent one after the other: an account's, or those whose order is a fault's.
  package var lane: String
  /// What is to be signed; nil once it is.
  package var content: StoreNotification?
  /// The number of the event that has the signed payload; 0 until there is one.
  package var payloadSequence: UInt64 = 0
  package var attempts: [SendAttempt] = []
  /// Since when it is to be sent.
  package var since: StoreTime
  /// Until when it waits.
  package var dueAt: StoreTime?
  /// Whether it has waited: a clock that is moved does not pass it.
  package var hasWaited = false
  /// How often it is sent once more after it has arrived.
  package var repeats = 0
  /// Whether its first try gets lost.
  package var isDropped = false

  package init(
    number: UInt64, uuid: UUID, content: StoreNotification, account: String?, at: StoreTime, lane: String
  ) {
    self.number = number
    self.uuid = uuid
    type = content.type
    subtype = content.subtype
    self.account = account
    customer = content.customer
    self.at = at
    self.lane = lane
    self.content = content
    since = at
  }

  /// How often it could not be delivered.
  var failures: Int { attempts.count { $0.sendAttemptResult != .success } }

  var isDelivered: Bool { attempts.contains { $0.sendAttemptResult == .success } }

  /// Apple: Responding to App Store Server Notifications. In production five more tries, so many hours after the one
  /// before; in the sandbox none.
  static let retryHours: [Int64] = [1, 12, 24, 48, 72]
  static let hour: Int64 = 3_600_000
}
