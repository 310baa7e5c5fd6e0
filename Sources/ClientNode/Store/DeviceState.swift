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
  /// Where the account buys, ISO 3166-1 alpha-3; nil as long as nothing but the world says it.
  package var storefront: String?
  /// Finished here; the store has not confirmed it yet.
  package var pendingFinishes: Set<TransactionID> = []
  /// Apple: AppTransaction.shared, as compact JWS.
  package var appTransaction: String?
  /// Refunds that the next launch is to hear of. Nil in what an earlier version has stored.
  package var refundsToReplay: Set<TransactionID>?

  package init(account: String, deviceVerificationId: UUID) {
    self.account = account
    self.deviceVerificationId = deviceVerificationId
  }
}
