package import Foundation
package import Shared

/// To an account, from a device or from outside the app (`device` nil): buys a product.
package struct Purchase: Request, Hashable {
  package static let name = "purchase"
  package var productId: String
  package var quantity: Int
  package var appAccountToken: UUID?
  /// The device whose app asks; nil for a purchase in the App Store itself.
  package var device: String?
  /// Asks the family organiser even when the account need not.
  package var simulatesAskToBuy: Bool
  /// The machine's monotonic time in microseconds at which the purchase was meant to happen; comes back in the event.
  package var intendedAt: Int64?
  /// Nil for the plan's own price, or the introductory offer where it applies.
  package var offer: PurchaseOffer?
  /// Whether the device interrupts its purchases; nil for not.
  package var isInterrupted: Bool?

  package init(
    productId: String, quantity: Int = 1, appAccountToken: UUID? = nil, device: String? = nil,
    simulatesAskToBuy: Bool = false, intendedAt: Int64? = nil, offer: PurchaseOffer? = nil, isInterrupted: Bool? = nil
  ) {
    self.productId = productId
    self.quantity = quantity
    self.appAccountToken = appAccountToken
    self.device = device
    self.simulatesAskToBuy = simulatesAskToBuy
    self.intendedAt = intendedAt
    self.offer = offer
    self.isInterrupted = isInterrupted
  }

  package struct Reply: Codable, Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
      case purchased(TransactionID)
      /// Already owned, or still unfinished: the transaction that there is.
      case existing(TransactionID)
      /// It waits for the family organiser, or until an issue is resolved; the value names it.
      case pending(askToBuy: String)
    }
    package var outcome: Outcome
    /// Where the account is once it has happened.
    package var position: AccountPosition

    package init(outcome: Outcome, position: AccountPosition) {
      self.outcome = outcome
      self.position = position
    }
  }
}

/// To an account: these transactions were delivered. Unknown and finished ones are passed over.
package struct Finish: Request {
  package static let name = "finish"
  package typealias Reply = AccountPosition
  package var transactionIds: [TransactionID]
  package var device: String?

  package init(transactionIds: [TransactionID], device: String? = nil) {
    self.transactionIds = transactionIds
    self.device = device
  }
}

/// To an account: the events after a position, or a snapshot when the asker is too far behind or of another epoch.
package struct CatchUp: Request {
  package static let name = "catchUp"
  package var epoch: UInt64
  /// The last sequence that the asker has applied; 0 for none.
  package var after: UInt64

  package init(epoch: UInt64, after: UInt64) {
    self.epoch = epoch
    self.after = after
  }

  /// When more events than this are missing, a snapshot comes instead.
  package static let mostEvents = 64

  package struct Reply: Codable, Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      case events([AccountUpdate])
      case snapshot(TransactionHistory)
    }
    package var position: AccountPosition
    package var content: Content
    /// With a snapshot: where the account buys, ISO 3166-1 alpha-3; nil for the world's storefront.
    package var storefront: String?

    package init(position: AccountPosition, content: Content, storefront: String? = nil) {
      self.position = position
      self.content = content
      self.storefront = storefront
    }
  }
}

/// To an account: signed copies for devices. The attachments are the compact JWS of each, in the order of `copies`.
package struct GetSignedCopies: Request {
  package static let name = "getSignedCopies"
  package typealias Reply = SignedCopies
  package var copies: [WantedCopy]

  /// For tests of the device's checks: spoil these copies in a way that only the signer can
  /// (`foreignRoot`, `wrongBundle`).
  package var fault: TamperCopies.Fault?

  package init(copies: [WantedCopy], fault: TamperCopies.Fault? = nil) {
    self.copies = copies
    self.fault = fault
  }

  /// A request that wants more is refused: its reply, a frame for each copy, has to be one that sockets take.
  package static let mostCopies = 512
}

/// One signed copy that a device needs.
package struct WantedCopy: Codable, Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case transaction(TransactionID)
    /// The renewal info of a lineage.
    case renewalInfo(TransactionID)
  }
  package var subject: Subject
  /// The device that it is for; nil for one without device verification.
  package var device: String?
  /// Apple: AppStore.deviceVerificationID.
  package var deviceVerificationId: UUID?

  package init(subject: Subject, device: String?, deviceVerificationId: UUID?) {
    self.subject = subject
    self.device = device
    self.deviceVerificationId = deviceVerificationId
  }
}

package struct SignedCopies: Codable, Hashable, Sendable {
  /// The revision that was signed, in the order asked; nil, with an empty attachment, for what the account lacks.
  package var revisions: [UInt64?]
  package init(revisions: [UInt64?]) { self.revisions = revisions }
}

/// To an account: what the store signs about the app that the account has. The attachment is the compact JWS.
package struct GetAppTransaction: Request {
  package static let name = "getAppTransaction"
  /// The device that it is for; nil for one without device verification.
  package var device: String?
  /// Apple: AppStore.deviceVerificationID.
  package var deviceVerificationId: UUID?

  package init(device: String? = nil, deviceVerificationId: UUID? = nil) {
    self.device = device
    self.deviceVerificationId = deviceVerificationId
  }

  package struct Reply: Codable, Hashable, Sendable {
    package var appTransactionId: String
    package init(appTransactionId: String) { self.appTransactionId = appTransactionId }
  }
}

/// To an account: money back. Names a transaction, or a product whose newest transaction is meant.
package struct Refund: Request {
  package static let name = "refund"
  package typealias Reply = AccountPosition
  package var transactionId: TransactionID?
  package var productId: String?
  /// Apple: revocationReason, 0 or 1.
  package var reason: Int
  /// How much of the price is given back, in thousandths of a percent: a prorated refund. Nil for all of it.
  package var percentage: Int64?

  package init(
    transactionId: TransactionID? = nil, productId: String? = nil, reason: Int = 0, percentage: Int64? = nil
  ) {
    self.transactionId = transactionId
    self.productId = productId
    self.reason = reason
    self.percentage = percentage
  }
}

/// To an account: its purchase history is gone, and it leaves its family.
package struct ResetAccount: Request {
  package static let name = "resetAccount"
  package typealias Reply = AccountPosition
  package init() {}
}

/// To an account: the family organiser's answer. Without an id, the only request that waits is meant.
package struct AnswerAskToBuy: Request {
  package static let name = "answerAskToBuy"
  package typealias Reply = AccountPosition
  package var approve: Bool
  package var askToBuy: String?
  package var productId: String?

  package init(approve: Bool, askToBuy: String? = nil, productId: String? = nil) {
    self.approve = approve
    self.askToBuy = askToBuy
    self.productId = productId
  }
}

/// To an account: switches auto-renew of the subscription that a product belongs to.
package struct SetAutoRenew: Request {
  package static let name = "setAutoRenew"
  package typealias Reply = AccountPosition
  package var productId: String
  package var on: Bool

  package init(productId: String, on: Bool) {
    self.productId = productId
    self.on = on
  }
}

/// To an account, from a device signed in to it: this transaction belongs to my user. The first attachment is the
/// transaction's compact JWS.
package struct Claim: Request {
  package static let name = "claim"
  package typealias Reply = AccountPosition
  package var appAccountToken: UUID
  package var device: String

  package init(appAccountToken: UUID, device: String) {
    self.appAccountToken = appAccountToken
    self.device = device
  }
}

/// To an account: whether an introductory offer would apply, for each group asked.
package struct GetIntroEligibility: Request {
  package static let name = "getIntroEligibility"
  package var groups: [String]

  package init(groups: [String]) { self.groups = groups }

  package struct Reply: Codable, Hashable, Sendable {
    package var eligible: [String: Bool]
    package init(eligible: [String: Bool]) { self.eligible = eligible }
  }
}

/// To an account, family or user: its journal as it is stored. People's `timeline` and the checker read it.
package struct ReadJournal: Request {
  package static let name = "readJournal"
  package var after: UInt64
  package var limit: Int

  package init(after: UInt64 = 0, limit: Int = 1_000) {
    self.after = after
    self.limit = limit
  }

  package struct Reply: Codable, Hashable, Sendable {
    package var epoch: UInt64
    package var events: [Entry]
    package init(epoch: UInt64, events: [Entry]) {
      self.epoch = epoch
      self.events = events
    }
  }

  package struct Entry: Codable, Hashable, Sendable {
    package var sequence: UInt64
    package var name: String
    package var at: StoreTime
    /// The event's JSON as text.
    package var body: String

    package init(sequence: UInt64, name: String, at: StoreTime, body: String) {
      self.sequence = sequence
      self.name = name
      self.at = at
      self.body = body
    }
  }
}
