import Shared
import Wire

extension AccountState {
  func decideJoin(_ name: String) throws(WireError) -> AccountDecision {
    guard family != name else { return AccountDecision() }
    if let family {
      throw .refused(.alreadyInFamily, "the account is in family '\(family)' already: leave that first")
    }
    return AccountDecision([AccountEvent(.familyJoined, detail: .family(name))])
  }

  /// What the account has of a product that can be shared from now on.
  func decideShareable(_ product: String, in context: StoreContext) -> AccountDecision {
    let own = history.records.filter {
      $0.inAppOwnershipType == .purchased && latest(ofLineage: $0.originalTransactionId)?.productId == product
    }
    let lineages = Set(own.map(\.originalTransactionId)).sorted()
    guard !lineages.isEmpty else { return AccountDecision() }
    return AccountDecision([AccountEvent(.madeShareable, detail: .shareable(lineages: lineages, since: context.now))])
  }

  /// Leaving takes away all that others shared.
  func decideLeave(_ name: String, in context: StoreContext) -> AccountDecision {
    guard family == name else { return AccountDecision() }
    let losses = grants.sorted { $0.value < $1.value }.flatMap {
      decideLoss(of: $0.key, reason: Revocation.other, in: context).events
    }
    return AccountDecision(losses + [AccountEvent(.familyLeft, detail: .family(name))])
  }

  /// What a family member has changed: the account gets, renews or loses a transaction of its own for it.
  func decideShared(_ item: SharedItem, in context: StoreContext) -> AccountDecision {
    guard let lineage = grants[item.id] else {
      return item.isActive && family != nil ? grant(item, in: context) : AccountDecision()
    }
    if let revocation = item.record.revocation, item.renewalInfo.map({ $0.status == .revoked }) ?? true {
      return decideLoss(of: item.id, reason: revocation.reason, in: context)
    }
    guard let shared = item.renewalInfo, let info = history.renewalInfos[lineage],
      let last = history[info.latestTransactionId]
    else { return AccountDecision() }
    return follow(item, shared, info, last)
  }

  private func grant(_ item: SharedItem, in context: StoreContext) -> AccountDecision {
    let record = sharedCopy(of: item.record, as: transactionId(), lineage: transactionId())
    let info = item.renewalInfo.map { sharedCopy(of: $0, record: record, revision: 1) }
    return AccountDecision([
      AccountEvent(.granted, records: [record], renewalInfos: info.map { [$0] } ?? [], source: item.id)
    ])
  }

  /// A shared subscription goes on: a new period, an extension, a failed renewal, a lapse, a changed preference.
  private func follow(
    _ item: SharedItem, _ shared: RenewalInfo, _ info: RenewalInfo, _ last: TransactionRecord
  ) -> AccountDecision {
    let isSamePeriod =
      item.record.purchaseDate == last.purchaseDate && item.record.productId == last.productId
    guard !isSamePeriod else { return followSamePeriod(item, shared, info, last) }
    let record = sharedCopy(of: item.record, as: transactionId(), lineage: last.originalTransactionId)
    let next = sharedCopy(of: shared, record: record, revision: info.recordRevision + 1)
    let isReplaced = item.record.purchaseDate < last.expiresDate ?? item.record.purchaseDate
    let replaced = isReplaced ? [last.revised { $0.isUpgraded = true }] : []
    let kind: AccountEvent.Kind = info.isInBillingRetry ? .billingRecovered : .renewed
    return AccountDecision([
      AccountEvent(kind, records: replaced + [record], renewalInfos: [next], source: item.id)
    ])
  }

  private func followSamePeriod(
    _ item: SharedItem, _ shared: RenewalInfo, _ info: RenewalInfo, _ last: TransactionRecord
  ) -> AccountDecision {
    let next = sharedCopy(of: shared, record: last, revision: info.recordRevision + 1)
    if item.record.expiresDate != last.expiresDate {
      // Apple: extending a shared subscription extends the family's.
      let extended = last.revised { $0.expiresDate = item.record.expiresDate }
      return AccountDecision([AccountEvent(.extended, records: [extended], renewalInfos: [next], source: item.id)])
    }
    var same = next
    same.recordRevision = info.recordRevision
    guard same != info else { return AccountDecision() }
    return AccountDecision([AccountEvent(kind(of: next, after: info), renewalInfos: [next], source: item.id)])
  }

  /// What a change of a shared subscription within its period is called.
  private func kind(of next: RenewalInfo, after info: RenewalInfo) -> AccountEvent.Kind {
    switch (info.status, next.status) {
    case (.inGracePeriod, .inBillingRetryPeriod): .gracePeriodExpired
    case (.subscribed, .inGracePeriod), (.subscribed, .inBillingRetryPeriod): .billingFailed
    case (let before, .expired) where before != .expired: .expired
    default: .autoRenewChanged
    }
  }

  func decideLoss(of id: SharedItem.ID, reason: Int, in context: StoreContext) -> AccountDecision {
    guard let lineage = grants[id] else { return AccountDecision() }
    let info = history.renewalInfos[lineage]
    if let info, info.status == .inBillingRetryPeriod {
      // There is no access to take away, and nobody here to recover it.
      return AccountDecision([lapse(info, intent: ExpirationIntent.other).from(id)])
    }
    // What has run out gives no access that could be taken away.
    guard let record = latest(ofLineage: lineage), record.revocation == nil, info.map(\.isActive) ?? true else {
      return AccountDecision()
    }
    let revocation = Revocation(date: context.now, reason: reason, type: "FAMILY_REVOKE")
    let revoked = record.revised { $0.revocation = revocation }
    let ended = info?.revised {
      $0.status = .revoked
      $0.willAutoRenew = false
      $0.gracePeriodExpiresDate = nil
      $0.priceIncreaseStatus = nil
    }
    return AccountDecision([
      AccountEvent(.revoked, records: [revoked], renewalInfos: ended.map { [$0] } ?? [], source: id)
    ])
  }

  // MARK: Copies

  /// Apple: each family member has transactions with ids of their own, and no field links them to the purchaser. A
  /// member makes no purchase call, so there is no token.
  private func sharedCopy(
    of record: TransactionRecord, as id: TransactionID, lineage: TransactionID
  ) -> TransactionRecord {
    var copy = record
    copy.transactionId = id
    copy.originalTransactionId = lineage
    copy.recordRevision = 1
    copy.inAppOwnershipType = .familyShared
    copy.appAccountToken = nil
    copy.appTransactionId = profile?.appTransactionId ?? ""
    copy.isFinished = false
    copy.revocation = nil
    if record.webOrderLineItemId != nil { copy.webOrderLineItemId = String(id.rawValue + 1_000_000_000_000_000) }
    return copy
  }

  private func sharedCopy(of info: RenewalInfo, record: TransactionRecord, revision: UInt64) -> RenewalInfo {
    var copy = info
    copy.originalTransactionId = record.originalTransactionId
    copy.latestTransactionId = record.transactionId
    copy.recordRevision = revision
    copy.inAppOwnershipType = .familyShared
    copy.appAccountToken = nil
    copy.appTransactionId = profile?.appTransactionId ?? ""
    // Whom to win back is the purchaser's matter.
    copy.eligibleWinBackOfferIds = []
    return copy
  }
}

extension AccountEvent {
  fileprivate func from(_ source: SharedItem.ID) -> AccountEvent {
    var event = self
    event.source = source
    return event
  }
}
