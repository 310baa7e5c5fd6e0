package import Foundation
package import Shared
package import Wire

/// What is kept of a device beside its records.
package struct DeviceState: Hashable, Sendable, Codable {
  package var account: String
  package var deviceVerificationId: UUID
  /// How often the app was launched.
  package var launches: UInt64 = 0
  package var online = true
  /// The app's user that is signed in.
  package var user: UUID?
  /// How far the phone's clock is ahead of the world's; nil for not at all.
  package var skewMilliseconds: Int64?
  package var applied = StreamPosition.start
  /// Finished here; the store has not confirmed it yet.
  package var pendingFinishes: Set<TransactionID> = []

  package init(account: String, deviceVerificationId: UUID) {
    self.account = account
    self.deviceVerificationId = deviceVerificationId
  }
}
