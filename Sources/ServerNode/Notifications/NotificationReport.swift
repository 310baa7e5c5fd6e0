import Foundation
import Shared
import Wire

/// What came of signing and sending, on its way to the notifications' actor.
struct NotificationReport: Sendable {
  /// Of an earlier one, nothing counts.
  var epoch: UInt64
  var signed: [(number: UInt64, payload: String)] = []
  var attempts: [(number: UInt64, attempt: SendAttempt)] = []

  var isEmpty: Bool { signed.isEmpty && attempts.isEmpty }
}
