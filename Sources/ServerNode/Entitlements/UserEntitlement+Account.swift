package import Shared
package import Wire

extension UserEntitlement {
  /// What a user's backend should see of a lineage, from its latest transaction.
  package init(account: String, record: TransactionRecord, info: RenewalInfo?) {
    self.init(
      account: account, originalTransactionId: record.originalTransactionId, transactionId: record.transactionId,
      recordRevision: record.recordRevision, productId: record.productId, type: record.type,
      quantity: record.quantity, status: UserEntitlement.status(of: record, info),
      expiresDate: info?.status == .inGracePeriod ? info?.gracePeriodExpiresDate : record.expiresDate,
      ownership: record.inAppOwnershipType, willAutoRenew: info?.willAutoRenew)
  }

  private static func status(of record: TransactionRecord, _ info: RenewalInfo?) -> Status {
    if record.revocation != nil { return .revoked }
    switch info?.status {
    case nil: return .active
    case .subscribed?:
      let isTrial = record.offer?.type == AppliedOffer.introductory && record.offer?.discountType == "FREE_TRIAL"
      return isTrial ? .trial : .active
    case .inGracePeriod?: return .grace
    case .inBillingRetryPeriod?: return .billingRetry
    case .revoked?: return .revoked
    default: return .expired
    }
  }
}
