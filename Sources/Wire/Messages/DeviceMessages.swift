package import Foundation
package import Shared

// To `W/device/NAME`. The server node passes these on to the client node where the device lives, over a link that
// simulated network faults never touch.

/// Starts the app, as a tap on its icon does.
package struct LaunchDevice: Request {
  package static let name = "launch"
  package typealias Reply = DeviceReport
  package init() {}
}

/// Ends the app at once, as a crash or the system does: whatever it was doing has no further effect.
package struct KillDevice: Request {
  package static let name = "kill"
  package typealias Reply = DeviceReport
  package init() {}
}

/// Airplane mode.
package struct SetOnline: Request {
  package static let name = "setOnline"
  package typealias Reply = DeviceReport
  package var online: Bool
  package init(online: Bool) { self.online = online }
}

/// A tap on the buy button. The reply comes when the app's purchase is over (or pending).
package struct TapBuy: Request {
  package static let name = "buy"
  package var productId: String
  package var quantity: Int
  /// Whether to answer at once, while the purchase goes on.
  package var wait: Bool
  package var intendedAt: Int64?

  package init(productId: String, quantity: Int = 1, wait: Bool = true, intendedAt: Int64? = nil) {
    self.productId = productId
    self.quantity = quantity
    self.wait = wait
    self.intendedAt = intendedAt
  }

  package struct Reply: Codable, Hashable, Sendable {
    /// What the app shows of the purchase: `completed`, `awaitingApproval`, `cancelled`, `failed`, `started`.
    package var phase: String
    package var message: String?
    package init(phase: String, message: String? = nil) {
      self.phase = phase
      self.message = message
    }
  }
}

/// A tap on the restore button.
package struct TapRestore: Request {
  package static let name = "restore"
  package init() {}

  package struct Reply: Codable, Hashable, Sendable {
    /// `restored`, `nothingToRestore`, `failed`, `cancelled`.
    package var outcome: String
    package var message: String?
    package init(outcome: String, message: String? = nil) {
      self.outcome = outcome
      self.message = message
    }
  }
}

/// Holds back, or lets go, what the app asks of the store: so that a kill can fall in between.
package struct HoldGate: Request {
  package static let name = "hold"
  package typealias Reply = DeviceReport
  package enum Gate: String, Codable, Hashable, Sendable, CaseIterable {
    case finish
  }
  package var gate: Gate
  package var held: Bool

  package init(gate: Gate, held: Bool) {
    self.gate = gate
    self.held = held
  }
}

/// Signs a user of the app in (or out): the token goes with purchases, and is claimed for what the device owns.
package struct SignInUser: Request {
  package static let name = "signIn"
  package typealias Reply = DeviceReport
  package var appAccountToken: UUID?
  package init(appAccountToken: UUID?) { self.appAccountToken = appAccountToken }
}

/// Sets a phone's clock ahead of the world's, or behind it: what its app reads in `Date()`.
package struct SetSkew: Request {
  package static let name = "setSkew"
  package typealias Reply = DeviceReport
  /// Negative: behind.
  package var milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
}

/// Breaks the sync of one device on purpose, for tests of the checks.
package struct BreakSync: Request {
  package static let name = "breakSync"
  package typealias Reply = DeviceReport
  /// How many of the next account events to lose.
  package var dropUpdates: Int
  /// Whether the device notices gaps and asks for what it missed.
  package var catchUp: Bool

  package init(dropUpdates: Int, catchUp: Bool) {
    self.dropUpdates = dropUpdates
    self.catchUp = catchUp
  }
}

/// What to do to the bytes of the next signed copies that a device gets.
package struct TamperCopies: Request {
  package static let name = "tamper"
  package typealias Reply = DeviceReport
  package enum Fault: String, Codable, Hashable, Sendable, CaseIterable {
    /// One byte of the payload is changed.
    case tampered
    /// Signed under another root.
    case foreignRoot
    /// For another bundle id.
    case wrongBundle
    /// Not a JWS.
    case unparsable
  }
  package var fault: Fault
  package var count: Int

  package init(fault: Fault, count: Int = 1) {
    self.fault = fault
    self.count = count
  }
}

/// Where the device is and what its app shows, read afresh.
package struct InspectDevice: Request {
  package static let name = "inspect"
  package typealias Reply = DeviceReport
  package init() {}
}

/// What a device says of itself.
package struct DeviceReport: Codable, Hashable, Sendable {
  package var device: String
  package var account: String
  /// The number of this launch, from 1; nil when the app does not run.
  package var incarnation: UInt64?
  package var online: Bool
  /// The epoch and sequence that its local store has applied.
  package var epoch: UInt64
  package var sequence: UInt64
  /// What the local store holds unfinished.
  package var unfinished: [TransactionID]
  /// Elements that the app's `Transaction.updates` iterators got in this launch, with a name for people:
  /// `productId` and the id. The newest few when nobody asked for the report, the newest 1,000 in answer to a request.
  package var updates: [SeenUpdate]
  /// Nil when the app does not run or has shown nothing yet.
  package var screen: AppScreen?

  package init(
    device: String, account: String, incarnation: UInt64?, online: Bool, epoch: UInt64, sequence: UInt64,
    unfinished: [TransactionID], updates: [SeenUpdate], screen: AppScreen?
  ) {
    self.device = device
    self.account = account
    self.incarnation = incarnation
    self.online = online
    self.epoch = epoch
    self.sequence = sequence
    self.unfinished = unfinished
    self.updates = updates
    self.screen = screen
  }
}

/// One element that came through `Transaction.updates`.
package struct SeenUpdate: Codable, Hashable, Sendable {
  package var transactionId: TransactionID
  package var productId: String
  package var recordRevision: UInt64
  package var revoked: Bool
  /// The `VerificationError` when it was unverified.
  package var unverified: String?

  package init(
    transactionId: TransactionID, productId: String, recordRevision: UInt64, revoked: Bool, unverified: String?
  ) {
    self.transactionId = transactionId
    self.productId = productId
    self.recordRevision = recordRevision
    self.revoked = revoked
    self.unverified = unverified
  }
}

/// What an app shows its user.
package struct AppScreen: Codable, Hashable, Sendable {
  package enum Access: String, Codable, Hashable, Sendable {
    /// Not known yet: neither lock nor unlock.
    case unknown
    case locked
    case unlocked
  }
  package var access: Access
  /// The products that the app believes its user may use, as it read them from `Transaction.currentEntitlements`.
  package var entitled: [String]
  /// Of these, the ones that family members share.
  package var familyShared: [String]
  /// `idle`, `purchasing`, `awaitingApproval`, `completed`, `failed`.
  package var phase: String
  /// The outcome of the last restore: `restored`, `nothingToRestore`, `failed`.
  package var restore: String?
  package var message: String?

  package init(
    access: Access, entitled: [String] = [], familyShared: [String] = [], phase: String = "idle",
    restore: String? = nil, message: String? = nil
  ) {
    self.access = access
    self.entitled = entitled
    self.familyShared = familyShared
    self.phase = phase
    self.restore = restore
    self.message = message
  }
}
