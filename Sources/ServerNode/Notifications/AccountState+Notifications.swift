import Shared
import Wire

/// What the developer's server is told of what happens to an account. Apple: notificationType, subtype.
extension AccountState {
  /// Of one event, before it is applied: the event itself has what is new.
  package func notifications(of event: AccountEvent) -> [StoreNotification] {
    notification(of: event).map { [$0] } ?? []
  }

  private func notification(of event: AccountEvent) -> StoreNotification? {
    switch event.kind {
    case .purchased, .granted: return bought(event)
    case .renewed: return renewed(event)
    case .billingRecovered: return about(event, .didRenew, .billingRecovery)
    case .billingFailed:
      let hasGrace = event.renewalInfos.first?.status == .inGracePeriod
      return about(event, .didFailToRenew, hasGrace ? .gracePeriod : nil)
    case .gracePeriodExpired: return about(event, .gracePeriodExpired)
    case .expired: return about(event, .expired, event.renewalInfos.first?.expirationSubtype)
    case .renewalPreferenceChanged: return preferenceChanged(event)
    case .autoRenewChanged: return renewalChanged(event)
    case .priceIncreaseRequested:
      return about(event, .priceIncrease, event.renewalInfos.first?.priceIncreaseStatus == 1 ? .accepted : .pending)
    case .priceIncreaseAnswered:
      // Who says no to the price has switched auto-renew off.
      return event.renewalInfos.first?.priceIncreaseStatus == 1
        ? about(event, .priceIncrease, .accepted) : renewalChanged(event)
    case .extended: return about(event, .renewalExtended)
    case .refundRequested: return consumptionRequest(event)
    case .refunded: return about(event, .refund)
    case .refundDeclined:
      guard case .refund(let id) = event.detail else { return nil }
      return about(id, .refundDeclined)
    case .refundReversed: return about(event, .refundReversed)
    case .revoked: return about(event, .revoke)
    case .opened, .billingChanged, .finished, .consumptionInformationSent, .offerSignatureUsed, .askedToBuy,
      .askToBuyDeclined, .askToBuyApproved, .askToBuyExpired, .interruptionChanged, .purchaseInterrupted,
      .issueResolved, .claimed, .appAccountTokenSet, .storefrontChanged, .madeShareable, .cutShort, .deleted, .reset,
      .familyJoined, .familyLeft:
      return nil
    }
  }

  // MARK: Purchases

  private func bought(_ event: AccountEvent) -> StoreNotification? {
    guard let record = event.records.last else { return nil }
    guard let group = record.subscriptionGroupIdentifier, record.type == .autoRenewable else {
      return about(event, .oneTimeCharge)
    }
    if event.kind == .purchased, let current = ownSubscription(inGroup: group), current.isActive {
      return record.isRedeemed ? about(event, .offerRedeemed, .upgrade) : about(event, .didChangeRenewalPref, .upgrade)
    }
    // Access of one's own or through the family, either may be the first: what counts is one that is over.
    let hadOne = history.renewalInfos.values.contains { $0.subscriptionGroupIdentifier == group && !$0.isActive }
    return about(event, .subscribed, hadOne ? .resubscribe : .initialBuy)
  }

  /// Also what a family member gets when the purchaser's subscription goes on, comes back or becomes another plan.
  private func renewed(_ event: AccountEvent) -> StoreNotification? {
    if event.records.contains(where: \.isUpgraded) { return about(event, .didChangeRenewalPref, .upgrade) }
    let before = event.renewalInfos.first.flatMap { history.renewalInfos[$0.originalTransactionId] }
    let wasOver = before.map { $0.status == .expired || $0.status == .revoked } ?? false
    return wasOver ? about(event, .subscribed, .resubscribe) : about(event, .didRenew)
  }

  // MARK: Changes for the next renewal

  private func preferenceChanged(_ event: AccountEvent) -> StoreNotification? {
    guard let info = event.renewalInfos.first else { return nil }
    let isSamePlan = info.autoRenewProductId == info.productId
    let lineage = info.originalTransactionId
    if let coming = event.cycles[lineage]?.coming, coming != cycles[lineage]?.coming {
      return about(event, .offerRedeemed, isSamePlan ? nil : .downgrade)
    }
    return about(event, .didChangeRenewalPref, isSamePlan ? nil : .downgrade)
  }

  /// Of a family member's copy it may also be the plan that is another; what else changes in it is nobody's news.
  private func renewalChanged(_ event: AccountEvent) -> StoreNotification? {
    guard let info = event.renewalInfos.first, let before = history.renewalInfos[info.originalTransactionId] else {
      return nil
    }
    if info.willAutoRenew != before.willAutoRenew {
      return about(event, .didChangeRenewalStatus, info.willAutoRenew ? .autoRenewEnabled : .autoRenewDisabled)
    }
    return info.autoRenewProductId == before.autoRenewProductId ? nil : preferenceChanged(event)
  }

  // MARK: Refunds

  private func consumptionRequest(_ event: AccountEvent) -> StoreNotification? {
    guard case .refundRequest(let request) = event.detail, request.answerBy != nil else { return nil }
    var notification = about(request.transactionId, .consumptionRequest)
    notification?.consumptionRequestReason = request.requestReason
    return notification
  }

  // MARK: Data of the moment

  /// About the transaction that the event made or changed, else the newest of the subscription that it is about.
  private func about(
    _ event: AccountEvent, _ type: NotificationType, _ subtype: NotificationSubtype? = nil
  ) -> StoreNotification? {
    if let record = event.records.last {
      let info = event.renewalInfos.first { $0.originalTransactionId == record.originalTransactionId }
      return StoreNotification(
        type, subtype, transaction: record, renewalInfo: info ?? history.renewalInfos[record.originalTransactionId])
    }
    guard let info = event.renewalInfos.first, let record = history[info.latestTransactionId] else { return nil }
    return StoreNotification(type, subtype, transaction: record, renewalInfo: info)
  }

  private func about(_ id: TransactionID, _ type: NotificationType) -> StoreNotification? {
    guard let record = history[id] else { return nil }
    return StoreNotification(
      type, transaction: record, renewalInfo: history.renewalInfos[record.originalTransactionId])
  }
}

extension TransactionRecord {
  /// Whether it was bought with an offer that a subscriber redeems.
  fileprivate var isRedeemed: Bool {
    offer.map { $0.type == AppliedOffer.promotional || $0.type == AppliedOffer.code } ?? false
  }
}

extension RenewalInfo {
  fileprivate var expirationSubtype: NotificationSubtype? {
    switch expirationIntent {
    case ExpirationIntent.cancelled: .voluntary
    case ExpirationIntent.billingError: .billingRetry
    case ExpirationIntent.noConsent: .priceIncrease
    case ExpirationIntent.productUnavailable: .productNotForSale
    default: nil
    }
  }
}
