package import Foundation
package import Shared
package import Wire

/// A notification as its actor's last event about it left it, kept beside the events as records are, so that old ones
/// need no memory and can be paged through.
package struct StoredNotification: Hashable, Sendable {
  /// What only a reader looks at.
  package struct Body: Codable, Hashable, Sendable {
    package var uuid: UUID
    package var account: String?
    package var attempts: [SendAttempt]

    package init(uuid: UUID, account: String?, attempts: [SendAttempt]) {
      self.uuid = uuid
      self.account = account
      self.attempts = attempts
    }
  }

  /// Counts from 1 in each actor.
  package var number: UInt64
  package var at: StoreTime
  package var type: String
  package var subtype: String?
  /// The account's ordinal; 0 for nobody's.
  package var customer: UInt64
  /// Whether a try of it succeeded.
  package var isDelivered: Bool
  /// Whether it is still to be tried.
  package var isOpen: Bool
  /// The number of the event that has the signed payload; 0 until there is one.
  package var payloadSequence: UInt64
  package var body: Body
  /// The body of that event; set when it is read.
  package var payloadEvent: Data?

  package init(
    number: UInt64, at: StoreTime, type: String, subtype: String?, customer: UInt64, isDelivered: Bool, isOpen: Bool,
    payloadSequence: UInt64, body: Body, payloadEvent: Data? = nil
  ) {
    self.number = number
    self.at = at
    self.type = type
    self.subtype = subtype
    self.customer = customer
    self.isDelivered = isDelivered
    self.isOpen = isOpen
    self.payloadSequence = payloadSequence
    self.body = body
    self.payloadEvent = payloadEvent
  }
}
