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

  /// A shared subscription goes on: a new period, a lapse, a changed preference.
  private func follow(
    _ item: SharedItem, _ shared: RenewalInfo, _ info: RenewalInfo, _ last: TransactionRecord
  ) -> AccountDecision {
    let isNewPeriod =
      item.record.purchaseDate > last.purchaseDate || item.record.expiresDate != last.expiresDate
      || item.record.productId != last.productId
    guard isNewPeriod else {
      let next = sharedCopy(of: shared, record: last, revision: info.recordRevision + 1)
      var same = next
      same.recordRevision = info.recordRevision
      guard same != info else { return AccountDecision() }
      let kind: AccountEvent.Kind = info.isActive && !next.isActive ? .expired : .autoRenewChanged
      return AccountDecision([AccountEvent(kind, renewalInfos: [next], source: item.id)])
    }
    let record = sharedCopy(of: item.record, as: transactionId(), lineage: last.originalTransactionId)
    let next = sharedCopy(of: shared, record: record, revision: info.recordRevision + 1)
    let isReplaced = item.record.purchaseDate < last.expiresDate ?? item.record.purchaseDate
    let replaced = isReplaced ? [last.revised { $0.isUpgraded = true }] : []
    return AccountDecision([
      AccountEvent(.renewed, records: replaced + [record], renewalInfos: [next], source: item.id)
    ])
  }

  func decideLoss(of id: SharedItem.ID, reason: Int, in context: StoreContext) -> AccountDecision {
    guard let lineage = grants[id] else { return AccountDecision() }
    let info = history.renewalInfos[lineage]
    // What has run out gives no access that could be taken away.
    guard let record = latest(ofLineage: lineage), record.revocation == nil, info.map(\.isActive) ?? true else {
      return AccountDecision()
    }
    let revocation = Revocation(date: context.now, reason: reason, type: "FAMILY_REVOKE")
    let revoked = record.revised { $0.revocation = revocation }
    let ended = info?.revised {
      $0.status = .revoked
      $0.willAutoRenew = false
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
    return copy
  }
}
