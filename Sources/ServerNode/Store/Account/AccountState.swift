package import Foundation
package import Shared
import Wire

/// An account: what it owns, and what it waits for. The fold of its events.
///
/// The fold alone keeps every transaction. A node lets go of those that no decision looks at (`archive`) and hands them
/// back before a command that names them (`put`), so that memory does not grow with the history; decisions therefore look
/// at nothing but what `keeps` says, at `lineages`, and at what `missing(for:)` asks for.
package struct AccountState: Hashable, Sendable, Codable {
  /// Nil until it is opened.
  package private(set) var profile: AccountProfile?
  /// All of it, or what is not archived.
  package private(set) var history = TransactionHistory()
  /// What stays of all transactions of the own subscriptions, archived ones included.
  package private(set) var lineages: [TransactionID: LineageSummary] = [:]
  package private(set) var cycles: [TransactionID: RenewalCycle] = [:]
  /// Groups in which an introductory offer was used.
  package private(set) var usedIntroductoryOffers: Set<String> = []
  /// Signatures of offers that were used up, by nonce, with the request that did it.
  package private(set) var usedOfferNonces: [UUID: OfferNonceUse] = [:]
  /// Offer codes are for one redemption each.
  package private(set) var redeemedOffers: Set<RedeemedOffer> = []
  package private(set) var pending: [PendingPurchase] = []
  package private(set) var billing = BillingSwitches()
  /// Whether purchases are interrupted.
  package private(set) var interruptsPurchases = false
  /// When renewals were moved, by lineage.
  package private(set) var extensions: [TransactionID: [StoreTime]] = [:]
  /// What money back was asked for, until that is decided.
  package private(set) var refundRequests: [TransactionID: RefundRequest] = [:]
  /// Lineages that were bought before their product could be shared with the family, and since when it can.
  package private(set) var madeShareable: [TransactionID: StoreTime] = [:]
  /// Which user of the app a lineage belongs to, where that was claimed or a subscription was bought for one.
  package private(set) var claims: [TransactionID: UUID] = [:]
  /// Who has a lineage besides that user, where the world lets several users have it.
  package private(set) var sharedClaims: [TransactionID: Set<UUID>] = [:]
  /// Nil where nothing but the world says it.
  package private(set) var storefront: String?
  package private(set) var family: String?
  /// The own lineage that stands for a shared item.
  package private(set) var grants: [SharedItem.ID: TransactionID] = [:]

  /// How many transactions there were before the account was reset: no id comes twice.
  private var erasedTransactions: UInt64 = 0
  /// How many there are, archived ones included.
  package private(set) var transactionCount: UInt64 = 0
  /// The newest of them.
  private var lastTransactionId = TransactionID(0)

  package init() {}

  package mutating func evolve(_ event: AccountEvent) {
    if event.kind == .reset { return reset() }
    for record in event.records {
      note(record, event.kind)
      history.put(record)
      if let offer = record.offer, offer.type == AppliedOffer.introductory,
        let group = record.subscriptionGroupIdentifier,
        record.inAppOwnershipType == .purchased
      {
        usedIntroductoryOffers.insert(group)
      }
      if record.revocation != nil { refundRequests[record.transactionId] = nil }
      // What is bought anew is shared as everything is.
      if event.kind == .purchased { madeShareable[record.originalTransactionId] = nil }
      // A subscription belongs to the user that it was bought for last, also through periods without a token.
      if event.kind == .purchased, record.type == .autoRenewable, !record.isUpgraded, let user = record.appAccountToken
      {
        claims[record.originalTransactionId] = user
      }
    }
    event.renewalInfos.forEach { history.put($0) }
    event.finished.forEach { history.finish($0) }
    cycles.merge(event.cycles) { _, new in new }
    if let source = event.source {
      if event.kind == .revoked {
        grants[source] = nil
      } else if let record = event.records.first {
        grants[source] = record.originalTransactionId
      }
    }
    if let nonce = event.offerNonce { usedOfferNonces[nonce] = OfferNonceUse(request: event.cause?.request) }
    switch event.detail {
    case .profile(let profile):
      self.profile = profile
      storefront = profile.storefront
    case .askToBuy(let purchase):
      // A repeated request is merged with the first and starts its wait anew.
      pending.removeAll { $0.id == purchase.id }
      pending.append(purchase)
    case .answered(let id): pending.removeAll { $0.id == id }
    case .family(let name):
      family = event.kind == .familyJoined ? name : nil
      // Who comes back gets everything anew, with ids of its own.
      if event.kind == .familyLeft { grants = [:] }
    case .claim(let lineages, let token): lineages.forEach { claims[$0] = token }
    case .sharedClaim(let lineages, let token): lineages.forEach { sharedClaims[$0, default: []].insert(token) }
    case .storefront(let storefront): self.storefront = storefront
    case .interruption(let on): interruptsPurchases = on
    case .billing(let productId, let fails): billing.set(productId, fails: fails)
    case .extension(let value): extensions[value.originalTransactionId, default: []].append(value.date)
    case .redemption(let offer): redeemedOffers.insert(offer)
    case .refundRequest(let request): refundRequests[request.transactionId] = request
    case .consumption(let id, let information): refundRequests[id]?.information = information
    case .refund(let id): refundRequests[id] = nil
    case .shareable(let lineages, let since): lineages.forEach { madeShareable[$0] = since }
    case .deletion(let lineage): delete(lineage)
    case nil: break
    }
  }

  private mutating func note(_ record: TransactionRecord, _ kind: AccountEvent.Kind) {
    // Ids grow within an account.
    let isNew = record.transactionId > lastTransactionId
    if isNew {
      lastTransactionId = record.transactionId
      transactionCount += 1
    }
    guard record.type == .autoRenewable, record.inAppOwnershipType == .purchased else { return }
    lineages[record.originalTransactionId, default: LineageSummary()].note(record, isNew: isNew, kind)
  }

  // MARK: The archive

  /// Whether decisions look at a record without anybody naming it: the newest of each subscription, what is owned for ever,
  /// and what else waits to be finished. Depends on the state and not on the way to it.
  private func keeps(_ record: TransactionRecord) -> Bool {
    switch record.type {
    case .autoRenewable:
      history.renewalInfos[record.originalTransactionId]?.latestTransactionId == record.transactionId
    case .nonConsumable: record.revocation == nil
    case .consumable, .nonRenewing: record.revocation == nil && !record.isFinished
    }
  }

  /// Whether there are transactions that `history` does not have.
  package var hasArchive: Bool { transactionCount > UInt64(history.records.count) }

  /// Lets go of the records that are not kept.
  package mutating func archive() {
    guard !history.records.allSatisfy({ keeps($0) }) else { return }
    let kept = history.records.filter { keeps($0) }
    history.keep(only: kept)
  }

  /// Takes records back that were archived, as they are by now.
  package mutating func put(archived records: [TransactionRecord]) {
    for record in records { history.put(record) }
  }

  /// Who the account is stays, and where it buys.
  private mutating func reset() {
    var fresh = AccountState()
    fresh.profile = profile
    fresh.storefront = storefront
    fresh.erasedTransactions = erasedTransactions + transactionCount
    self = fresh
  }

  /// All transactions are at hand when this happens.
  private mutating func delete(_ lineage: TransactionID) {
    let rest = history.records.filter { $0.originalTransactionId != lineage }
    let count = UInt64(history.records.count - rest.count)
    // Ids go on where they were.
    erasedTransactions += count
    transactionCount -= min(count, transactionCount)
    history = TransactionHistory(
      records: rest, renewalInfos: history.renewalInfos.values.filter { $0.originalTransactionId != lineage })
    lineages[lineage] = nil
    cycles[lineage] = nil
    extensions[lineage] = nil
    madeShareable[lineage] = nil
    claims[lineage] = nil
    sharedClaims[lineage] = nil
    refundRequests = refundRequests.filter { history[$0.key] != nil }
    usedIntroductoryOffers = Set(
      rest.filter { $0.offer?.type == AppliedOffer.introductory && $0.inAppOwnershipType == .purchased }
        .compactMap(\.subscriptionGroupIdentifier))
  }

  // MARK: Questions

  /// The `n`-th transaction id that the account makes: ids of one world never meet, and grow within an account.
  package func transactionId(_ offset: UInt64 = 0) -> TransactionID {
    let ordinal = profile?.ordinal ?? 0
    let count = erasedTransactions + transactionCount
    return StoreNumbers.transactionId(ordinal: ordinal, count: count + 1 + offset)
  }

  /// The account's own subscription in a group that gives or may regain access; family access is none of these.
  package func ownSubscription(inGroup group: String) -> RenewalInfo? {
    history.renewalInfos.values
      .filter { $0.subscriptionGroupIdentifier == group && $0.inAppOwnershipType == .purchased }
      .max { $0.latestTransactionId < $1.latestTransactionId }
  }

  /// Apple: never had an introductory offer in the group, and no active subscriber of it. A subscription that the
  /// store still tries to charge for is not over.
  package func isEligibleForIntroductoryOffer(inGroup group: String) -> Bool {
    guard !usedIntroductoryOffers.contains(group) else { return false }
    return ownSubscription(inGroup: group).map { !$0.isActive && !$0.isInBillingRetry } ?? true
  }

  /// The user of the app that a lineage belongs to: claimed, else the token that it was bought with.
  package func user(of record: TransactionRecord) -> UUID? {
    claims[lineage(of: record)] ?? record.appAccountToken
  }

  package func user(ofLineage lineage: TransactionID) -> UUID? {
    latest(ofLineage: lineage).flatMap { user(of: $0) } ?? claims[lineage]
  }

  /// Everybody who has a lineage, in order.
  package func users(ofLineage lineage: TransactionID) -> [UUID] {
    let user = user(ofLineage: lineage)
    guard let shared = sharedClaims[lineage] else { return user.map { [$0] } ?? [] }
    return shared.union(user.map { [$0] } ?? []).sorted()
  }

  /// The newest transaction of a subscription; for anything else the transaction itself.
  package func latest(ofLineage lineage: TransactionID) -> TransactionRecord? {
    history[history.renewalInfos[lineage]?.latestTransactionId ?? lineage]
  }

  /// What a claim binds: the subscription; for anything else the transaction itself.
  package func lineage(of record: TransactionRecord) -> TransactionID { record.originalTransactionId }

  /// The durable timers that this state asks for.
  package var timers: [String: StoreTime] {
    var timers: [String: StoreTime] = [:]
    for info in history.renewalInfos.values where info.inAppOwnershipType == .purchased {
      let lineage = info.originalTransactionId
      switch info.status {
      case .subscribed: timers[AccountTimer.renewal(lineage).name] = info.renewalDate
      case .inGracePeriod: timers[AccountTimer.graceEnd(lineage).name] = info.gracePeriodExpiresDate
      case .inBillingRetryPeriod: timers[AccountTimer.retryEnd(lineage).name] = cycles[lineage]?.retryEnds
      default: break
      }
    }
    for purchase in pending { timers[AccountTimer.askToBuy(purchase.id).name] = purchase.expires }
    return timers
  }
}

/// The names of an account's timers.
package enum AccountTimer: Hashable, Sendable {
  /// A period of this lineage ends.
  case renewal(TransactionID)
  /// The grace period of this lineage ends.
  case graceEnd(TransactionID)
  /// The store stops trying to charge for this lineage.
  case retryEnd(TransactionID)
  /// An Ask to Buy request runs out.
  case askToBuy(String)

  package var name: String {
    switch self {
    case .renewal(let lineage): "renewal/" + lineage.description
    case .graceEnd(let lineage): "graceEnd/" + lineage.description
    case .retryEnd(let lineage): "retryEnd/" + lineage.description
    case .askToBuy(let id): "askToBuy/" + id
    }
  }

  package init?(name: String) {
    guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let rest = name[name.utf8.index(after: slash)...]
    guard !rest.isEmpty else { return nil }
    let lineage = TransactionID(rest)
    switch (name[..<slash], lineage) {
    case ("renewal", let lineage?): self = .renewal(lineage)
    case ("graceEnd", let lineage?): self = .graceEnd(lineage)
    case ("retryEnd", let lineage?): self = .retryEnd(lineage)
    case ("askToBuy", _): self = .askToBuy(String(rest))
    default: return nil
    }
  }
}

extension RenewalInfo {
  /// Whether the subscription gives access now.
  package var isActive: Bool { status == .subscribed || status == .inGracePeriod }

  /// The next revision of this value.
  func revised(_ change: (inout RenewalInfo) -> Void) -> RenewalInfo {
    var next = self
    next.recordRevision += 1
    change(&next)
    return next
  }
}

extension TransactionRecord {
  /// The next revision of this record.
  func revised(_ change: (inout TransactionRecord) -> Void) -> TransactionRecord {
    var next = self
    next.recordRevision += 1
    change(&next)
    return next
  }
}
