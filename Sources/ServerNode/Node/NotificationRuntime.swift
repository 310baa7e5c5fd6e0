import Foundation
import Shared
import Wire

/// What the node has in hand of a world's notifications: nothing of it is needed after a restart.
struct NotificationRuntime: Sendable {
  var signing: Set<UInt64> = []
  /// The lanes of those that are on their way, until the result is on disk.
  var sending: [UInt64: String] = [:]
  /// Signed and still to be sent for the first time.
  var payloads: [UInt64: Data] = [:]
  /// Results that wait until those before are on disk.
  var report: NotificationReport
  /// Whether a report is with the actor.
  var isReporting = false
  /// Whether there is something to be tried from before the node started, and the actor is not there yet.
  var awaitsActor = false

  init(epoch: UInt64) { report = NotificationReport(epoch: epoch) }

  /// On their way at a time, of one world.
  static let mostSending = 16
  /// Signed ahead.
  static let mostSigned = 64
  /// A clock that is moved waits when there are more to be sent: memory does not grow with the length of a jump.
  static let mostQueued = 256
}

/// What the node waits for on behalf of a world's notifications.
struct NotificationWork: Sendable {
  enum Kind: Sendable {
    case signing([UInt64])
    /// The payload of an earlier time.
    case reading(UInt64, at: StoreTime)
    case sending(UInt64, at: StoreTime)
  }

  var world: String
  var epoch: UInt64
  var kind: Kind
}
