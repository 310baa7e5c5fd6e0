package import Foundation
package import Shared
package import Wire

/// What a client node's local store holds.
package struct StoredNode: Sendable {
  /// As the server described it last; nil before the first contact.
  package var world: WorldDescription?
  package var devices: [String: StoredDevice]

  package init(world: WorldDescription? = nil, devices: [String: StoredDevice] = [:]) {
    self.world = world
    self.devices = devices
  }
}

/// One device as it is stored.
package struct StoredDevice: Sendable {
  package var state: DeviceState
  package var records: [TransactionRecord]
  package var renewalInfos: [RenewalInfo]
  package var copies: [WantedCopy.Subject: SignedCopy]

  package init(
    state: DeviceState, records: [TransactionRecord] = [], renewalInfos: [RenewalInfo] = [],
    copies: [WantedCopy.Subject: SignedCopy] = [:]
  ) {
    self.state = state
    self.records = records
    self.renewalInfos = renewalInfos
    self.copies = copies
  }
}

/// What is kept of a device beside its records.
package struct DeviceState: Hashable, Sendable, Codable {
  package var account: String
  package var deviceVerificationId: UUID
  /// How often the app was launched.
  package var launches: UInt64 = 0
  package var online = true
  /// The app's user that is signed in.
  package var user: UUID?
  package var applied = StreamPosition.start
  /// Finished here; the store has not confirmed it yet.
  package var pendingFinishes: Set<TransactionID> = []

  package init(account: String, deviceVerificationId: UUID) {
    self.account = account
    self.deviceVerificationId = deviceVerificationId
  }
}

/// A signed copy as the device holds it, with what checking it gave.
package struct SignedCopy: Hashable, Sendable, Codable {
  /// The revision of the record that was signed.
  package var revision: UInt64
  /// Compact JWS; empty when the store had none to give.
  package var jws: String
  package var failure: VerificationFailure?

  package init(revision: UInt64, jws: String, failure: VerificationFailure?) {
    self.revision = revision
    self.jws = jws
    self.failure = failure
  }
}
