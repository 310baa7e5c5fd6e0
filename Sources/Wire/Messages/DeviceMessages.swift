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
  /// Whether to answer when the restore is over (nil: yes), or at once.
  package var wait: Bool?
  package init(wait: Bool? = nil) { self.wait = wait }

  package struct Reply: Codable, Hashable, Sendable {
    /// `restored`, `nothingToRestore`, `failed`, `cancelled`, `started`.
    package var outcome: String
    package var message: String?
    package init(outcome: String, message: String? = nil) {
      self.outcome = outcome
      self.message = message
    }
  }
}

/// Holds back, or lets go, what the app asks of the store: so that a second tap or a kill can fall in between.
package struct HoldGate: Request, Hashable {
  package static let name = "hold"
  package typealias Reply = DeviceReport
  package enum Gate: String, Codable, Hashable, Sendable, CaseIterable {
    /// Queries of transactions and statuses.
    case entitlements
    case finish
    case products
    /// The payment sheet: nothing is bought while it stays up.
    case purchase
    /// The store's word that something was bought: it is, and the app does not know.
    case purchaseResult
    /// `AppStore.sync()`.
    case restore

    /// Whether the customer can cancel what waits there.
    package var canBeCancelled: Bool {
      switch self {
      case .purchase, .purchaseResult, .restore: true
      case .entitlements, .finish, .products: false
      }
    }
  }
  package var gate: Gate
  package var held: Bool
  /// When it is let go: how many calls pass, those that wait first; the gate stays held for others. Nil opens it.
  package var count: Int?
  /// When it is let go: whether the calls end as if the customer had cancelled. Nil for not.
  package var cancel: Bool?

  package init(gate: Gate, held: Bool, count: Int? = nil, cancel: Bool? = nil) {
    self.gate = gate
    self.held = held
    self.count = count
    self.cancel = cancel
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

/// The App Store has a message for the app's user. It waits for the app, and within the app for who reads
/// `Message.messages`.
package struct SendMessage: Request {
  package static let name = "sendMessage"
  package typealias Reply = DeviceReport
  package enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
    case generic
    case priceIncreaseConsent
    case billingIssue
    case winBackOffer
  }
  package var reason: Reason

  package init(reason: Reason) { self.reason = reason }
}

/// The user taps a promoted product, or a win-back offer, in the App Store. It waits for the app, and within the app
/// for who reads `PurchaseIntent.intents`.
package struct SendPurchaseIntent: Request, Hashable {
  package static let name = "sendPurchaseIntent"
  package typealias Reply = DeviceReport
  package var productId: String
  /// A win-back offer of the product.
  package var offerId: String?

  package init(productId: String, offerId: String? = nil) {
    self.productId = productId
    self.offerId = offerId
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
  /// What holds up, refuses or breaks what the device asks for; nil for nothing.
  package var faults: DeviceFaults?

  package init(
    device: String, account: String, incarnation: UInt64?, online: Bool, epoch: UInt64, sequence: UInt64,
    unfinished: [TransactionID], updates: [SeenUpdate], screen: AppScreen?, faults: DeviceFaults? = nil
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
    self.faults = faults
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
  package enum Access: String, Codable, Hashable, Sendable, CaseIterable {
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
