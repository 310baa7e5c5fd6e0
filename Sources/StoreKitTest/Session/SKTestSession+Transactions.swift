import Shared
import StoreKit
import Synchronization
import Wire

extension SKTestSession {
  // MARK: Subscriptions

  /// Ends the subscription now, with auto-renew off.
  public func expireSubscription(productIdentifier: String) throws {
    try world.tell(ExpireSubscription(productId: productIdentifier), account)
  }

  /// Ends the running period now and renews, with auto-renew on. When the store cannot charge, the subscription goes into
  /// its grace period or into billing retry; from a grace period it goes into billing retry, which stays as it is.
  public func forceRenewalOfSubscription(productIdentifier: String) throws {
    try world.tell(RenewSubscription(productId: productIdentifier), account)
  }

  public func enableAutoRenewForTransaction(identifier: UInt) throws { try setAutoRenew(true, identifier) }
  public func disableAutoRenewForTransaction(identifier: UInt) throws { try setAutoRenew(false, identifier) }

  private func setAutoRenew(_ on: Bool, _ identifier: UInt) throws {
    let (record, _, account) = try world.transaction(identifier)
    try world.tell(SetAutoRenew(productId: record.productId, on: on), world.account(account))
  }

  // MARK: Price increases

  /// The price doubles with the next renewal, if the customer agrees.
  public func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
    let (record, info, account) = try world.transaction(identifier)
    let price = max(info?.renewalPrice ?? 0, record.price)
    try world.tell(
      RequestPriceIncrease(productId: record.productId, priceMilliunits: max(price * 2, 1_000), needsConsent: true),
      world.account(account))
  }

  public func consentToPriceIncreaseForTransaction(identifier: UInt) throws { try answerIncrease(true, identifier) }
  /// The subscription then ends with its period.
  public func declinePriceIncreaseForTransaction(identifier: UInt) throws { try answerIncrease(false, identifier) }

  private func answerIncrease(_ agree: Bool, _ identifier: UInt) throws {
    let (record, _, account) = try world.transaction(identifier)
    try world.tell(AnswerPriceIncrease(productId: record.productId, agree: agree), world.account(account))
  }

  // MARK: Ask to Buy and issues

  public func approveAskToBuyTransaction(identifier: UInt) throws { try answerAskToBuy(true, identifier) }

  /// The app hears nothing of it.
  public func declineAskToBuyTransaction(identifier: UInt) throws { try answerAskToBuy(false, identifier) }

  private func answerAskToBuy(_ approve: Bool, _ identifier: UInt) throws {
    let found = try world.find(identifier, prefersWaiting: true)
    guard case .pending(let entry, let account) = found, entry.reason == .askToBuy else {
      throw SKTestError(.invalidAction, "transaction \(identifier) does not wait for approval")
    }
    let answer = AnswerAskToBuy(approve: approve, askToBuy: entry.id)
    if approve { return try world.letThrough(entry, of: account, by: answer) }
    try world.tell(answer, world.account(account))
    world.state.withLock { $0.ledger.decline(entry, of: account) }
  }

  /// What was interrupted goes through; what is in billing retry renews now, once, also while
  /// `shouldEnterBillingRetryOnRenewal` is on.
  public func resolveIssueForTransaction(identifier: UInt) throws {
    switch try world.find(identifier, prefersWaiting: true) {
    case .pending(let entry, let account) where entry.reason == .issue:
      try world.letThrough(entry, of: account, by: ResolveIssue(purchase: entry.id))
    case .transaction(_, let info?, let account) where info.isInBillingRetry:
      try world.recover(info, of: account)
    default: throw SKTestError(.invalidAction, "transaction \(identifier) has no issue")
    }
  }

  // MARK: Refund and deletion

  /// The money is given back now, for another reason than an issue of the app.
  public func refundTransaction(identifier: UInt) throws {
    let (record, _, account) = try world.transaction(identifier)
    try world.tell(Refund(transactionId: record.transactionId), world.account(account))
  }

  /// The purchase never was; of a subscription, no period of it.
  public func deleteTransaction(identifier: UInt) throws {
    switch try world.find(identifier) {
    case .transaction(let record, _, let account):
      try world.tell(DeleteTransaction(transactionId: record.transactionId), world.account(account))
    case .pending(let entry, let account) where entry.reason == .askToBuy:
      try world.tell(AnswerAskToBuy(approve: false, askToBuy: entry.id), world.account(account))
    case .pending:
      throw SKTestError(
        .invalidAction, "transaction \(identifier) waits for its issue to be resolved: resolve it first")
    }
  }

  private var account: ActorAddress { world.account(TestWorld.ownAccount) }
}
