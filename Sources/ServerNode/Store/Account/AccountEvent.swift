package import Foundation
package import Shared
package import Wire

/// Something that happened to an account: why (`kind`), and what is different now.
///
/// Records and renewal infos are carried whole, so that the fold of the events needs no rule of the store, and devices
/// apply each event in the same way whatever its kind.
package struct AccountEvent: Hashable, Sendable, Codable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    case opened
    case purchased
    case renewed
    /// A plan change that waits for the next renewal, or was taken back.
    case renewalPreferenceChanged
    case autoRenewChanged
    case expired
    /// The switch with which renewals fail.
    case billingChanged
    /// A renewal failed: the subscription is in its grace period or in billing retry.
    case billingFailed
    case gracePeriodExpired
    case billingRecovered
    case priceIncreaseRequested
    case priceIncreaseAnswered
    /// The next renewal was moved into the future.
    case extended
    case finished
    case refundRequested
    /// The developer's server has told what was used.
    case consumptionInformationSent
    case refunded
    case refundDeclined
    case refundReversed
    /// The signature of an offer is used up, though the purchase was refused.
    case offerSignatureUsed
    /// A family member got what another shares.
    case granted
    /// Family access was lost.
    case revoked
    case askedToBuy
    case askToBuyDeclined
    /// Approved, though it is owned by now: there is no new transaction.
    case askToBuyApproved
    case askToBuyExpired
    /// The switch with which purchases are interrupted.
    case interruptionChanged
    /// A purchase waits until an issue is resolved.
    case purchaseInterrupted
    /// Resolved, though it is owned by now: there is no new transaction.
    case issueResolved
    case claimed
    /// The developer's server has set the token of a lineage.
    case appAccountTokenSet
    case storefrontChanged
    /// Purchases of a product that can be shared with the family from now on.
    case madeShareable
    /// The running period ends now, since a test asks for it.
    case cutShort
    /// A purchase never was, since a test asks for it.
    case deleted
    /// Everything before it is gone.
    case reset
    case familyJoined
    case familyLeft
  }

  /// What only some kinds carry.
  package enum Detail: Hashable, Sendable {
    case profile(AccountProfile)
    /// A purchase that waits: for the family organiser, or for an issue to be resolved.
    case askToBuy(PendingPurchase)
    /// The one that ended its wait.
    case answered(askToBuy: String)
    case family(String)
    case claim(lineages: [TransactionID], appAccountToken: UUID)
    /// One user more has them.
    case sharedClaim(lineages: [TransactionID], appAccountToken: UUID)
    case storefront(String)
    case billing(productId: String?, fails: Bool)
    case interruption(on: Bool)
    case `extension`(SubscriptionExtension)
    /// The transaction that money back was refused for.
    case refund(of: TransactionID)
    case refundRequest(RefundRequest)
    case consumption(of: TransactionID, ConsumptionInformation)
    /// The lineages, and since when they can be shared.
    case shareable(lineages: [TransactionID], since: StoreTime)
    case redemption(RedeemedOffer)
    case deletion(lineage: TransactionID)
  }

  package var kind: Kind
  package var records: [TransactionRecord] = []
  package var renewalInfos: [RenewalInfo] = []
  package var finished: [TransactionID] = []
  /// How renewals of the lineages in `renewalInfos` go on.
  package var cycles: [TransactionID: RenewalCycle] = [:]
  /// The shared item that a family grant, renewal or revocation came from.
  package var source: SharedItem.ID?
  /// Of the signature that the purchase used up.
  package var offerNonce: UUID?
  package var detail: Detail?
  package var cause: AccountUpdate.Cause?

  package init(
    _ kind: Kind, records: [TransactionRecord] = [], renewalInfos: [RenewalInfo] = [], finished: [TransactionID] = [],
    cycles: [TransactionID: RenewalCycle] = [:], source: SharedItem.ID? = nil, detail: Detail? = nil
  ) {
    self.kind = kind
    self.records = records
    self.renewalInfos = renewalInfos
    self.finished = finished
    self.cycles = cycles
    self.source = source
    self.detail = detail
  }

  /// The lineages that it changes something about, some more than once.
  func forEachLineage(_ body: (TransactionID) -> Void) {
    for record in records { body(record.originalTransactionId) }
    for info in renewalInfos { body(info.originalTransactionId) }
    switch detail {
    case .claim(let claimed, _), .sharedClaim(let claimed, _), .shareable(let claimed, _): claimed.forEach(body)
    case .deletion(let deleted): body(deleted)
    default: break
    }
  }

  private enum CodingKeys: String, CodingKey {
    case records, renewalInfos, finished, cycles, source, offerNonce, detail, cause
  }

  /// The kind is the journal's event name, so the body leaves it out.
  package static func decode(kind: Kind, body: Data) throws -> AccountEvent {
    var event = try JSONDecoder().decode(AccountEvent.self, from: body)
    event.kind = kind
    return event
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = .opened
    records = try container.decodeIfPresent([TransactionRecord].self, forKey: .records) ?? []
    renewalInfos = try container.decodeIfPresent([RenewalInfo].self, forKey: .renewalInfos) ?? []
    finished = try container.decodeIfPresent([TransactionID].self, forKey: .finished) ?? []
    cycles = try container.decodeIfPresent([TransactionID: RenewalCycle].self, forKey: .cycles) ?? [:]
    source = try container.decodeIfPresent(SharedItem.ID.self, forKey: .source)
    offerNonce = try container.decodeIfPresent(UUID.self, forKey: .offerNonce)
    detail = try container.decodeIfPresent(Detail.self, forKey: .detail)
    cause = try container.decodeIfPresent(AccountUpdate.Cause.self, forKey: .cause)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !records.isEmpty { try container.encode(records, forKey: .records) }
    if !renewalInfos.isEmpty { try container.encode(renewalInfos, forKey: .renewalInfos) }
    if !finished.isEmpty { try container.encode(finished, forKey: .finished) }
    if !cycles.isEmpty { try container.encode(cycles, forKey: .cycles) }
    try container.encodeIfPresent(source, forKey: .source)
    try container.encodeIfPresent(offerNonce, forKey: .offerNonce)
    try container.encodeIfPresent(detail, forKey: .detail)
    try container.encodeIfPresent(cause, forKey: .cause)
  }

  /// What devices are told.
  package func update(sequence: UInt64, at: StoreTime) -> AccountUpdate {
    AccountUpdate(
      sequence: sequence, name: kind.rawValue, at: at, records: records, renewalInfos: renewalInfos,
      finished: finished, storefront: storefront, cause: cause)
  }

  /// Where the account buys from then on.
  private var storefront: String? {
    switch detail {
    case .profile(let profile): profile.storefront
    case .storefront(let storefront): storefront
    default: nil
    }
  }
}

/// What does not change about an account, given at its opening.
package struct AccountProfile: Hashable, Sendable, Codable {
  package var name: String
  /// The n-th account of its world, from 1: the first digits of its transactions' ids.
  package var ordinal: UInt64
  /// One for each account and app; differs between family members.
  package var appTransactionId: String
  /// Whether purchases wait for the family organiser.
  package var asksToBuy: Bool
  /// Where it was opened; nil for the world's storefront.
  package var storefront: String?

  package init(
    name: String, ordinal: UInt64, appTransactionId: String, asksToBuy: Bool, storefront: String? = nil
  ) {
    self.name = name
    self.ordinal = ordinal
    self.appTransactionId = appTransactionId
    self.asksToBuy = asksToBuy
    self.storefront = storefront
  }

  static func check(storefront: String) throws(WireError) {
    if let mistake = StorefrontCode.mistake(in: storefront) { throw WireError(.badBody, mistake) }
  }
}

/// A purchase that waits, for the family organiser or for an issue to be resolved. All its options survive the wait.
package struct PendingPurchase: Hashable, Sendable, Codable {
  package var id: String
  package var purchase: Purchase
  package var askedAt: StoreTime
  /// Nil for a request to the family organiser.
  package var hasIssue: Bool?

  /// Apple: an unanswered request disappears after 24 hours.
  package static let lifetimeMilliseconds: Int64 = 24 * 3_600_000
  /// Nil for an issue, which waits until it is resolved.
  package var expires: StoreTime? {
    hasIssue == true ? nil : askedAt.advanced(by: PendingPurchase.lifetimeMilliseconds)
  }

  package init(id: String, purchase: Purchase, askedAt: StoreTime, hasIssue: Bool? = nil) {
    self.id = id
    self.purchase = purchase
    self.askedAt = askedAt
    self.hasIssue = hasIssue
  }
}
