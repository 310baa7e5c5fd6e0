package import Foundation
package import Shared
package import Wire

/// What an account can be asked to do.
package enum AccountCommand: Sendable {
  case open(AccountProfile)
  case purchase(Purchase)
  case finish(Finish)
  case refund(Refund)
  case redeem(RedeemCode)
  case answerAskToBuy(AnswerAskToBuy)
  case setAutoRenew(SetAutoRenew)
  case setBilling(SetBilling)
  case setInterruptedPurchases(SetInterruptedPurchases)
  case resolveIssue(ResolveIssue)
  case requestPriceIncrease(RequestPriceIncrease)
  case answerPriceIncrease(AnswerPriceIncrease)
  case extend(ExtendSubscription)
  case requestRefund(RequestRefund)
  case sendConsumption(SendConsumptionInformation)
  case declineRefund(DeclineRefund)
  case reverseRefund(ReverseRefund)
  /// A device's verified transaction belongs to this user of the app.
  case claim(transactionId: TransactionID, appAccountToken: UUID)
  case setAppAccountToken(SetAppAccountToken)
  case setStorefront(SetStorefront)
  /// A product is shared with families from now on.
  case madeShareable(productId: String)
  case reset
  case expire(ExpireSubscription)
  case forceRenewal(RenewSubscription)
  case backdate(BackdatePurchase)
  case delete(DeleteTransaction)
  case timer(AccountTimer)
  case joinFamily(String)
  case leaveFamily(String)
  case receiveShared(SharedItem)
  /// A shared item is no longer shared. The reason is the purchaser's after a refund, else 0.
  case loseShared(SharedItem.ID, reason: Int)
}

/// What an account decides: the events, and for a purchase what became of it.
package struct AccountDecision: Hashable, Sendable {
  package var events: [AccountEvent]
  package var outcome: Purchase.Reply.Outcome?
  /// Set when the store says no and something has changed all the same: a signature is used up.
  package var refusal: WireError?

  package init(
    _ events: [AccountEvent] = [], outcome: Purchase.Reply.Outcome? = nil, refusal: WireError? = nil
  ) {
    self.events = events
    self.outcome = outcome
    self.refusal = refusal
  }
}

extension AccountState {
  /// The store's rules: what follows from a command, now. Changes nothing.
  package func decide(_ command: AccountCommand, in context: StoreContext) throws(WireError) -> AccountDecision {
    withWinBackOffers(try decideAlone(command, in: context), in: context)
  }

  /// Without what follows for win-back offers.
  private func decideAlone(_ command: AccountCommand, in context: StoreContext) throws(WireError) -> AccountDecision {
    switch command {
    case .open(let profile):
      return self.profile == nil
        ? AccountDecision([AccountEvent(.opened, detail: .profile(profile))]) : AccountDecision()
    case .purchase(let purchase): return try decidePurchase(purchase, in: context)
    case .finish(let finish): return decideFinish(finish)
    case .refund(let refund): return try decideRefund(refund, in: context)
    case .redeem(let request): return try decideRedemption(request, in: context)
    case .answerAskToBuy(let answer): return try decideAnswer(answer, in: context)
    case .setAutoRenew(let change): return try decideAutoRenew(change, in: context)
    case .setBilling(let change): return try decideBilling(change, in: context)
    case .setInterruptedPurchases(let change): return decideInterruption(change)
    case .resolveIssue(let resolve): return try decideIssue(resolve, in: context)
    case .requestPriceIncrease(let request): return try decidePriceIncrease(request, in: context)
    case .answerPriceIncrease(let answer): return try decideConsent(answer)
    case .extend(let request): return try decideExtension(request, in: context)
    case .requestRefund(let request): return try decideRefundRequest(request, in: context)
    case .sendConsumption(let request): return try decideConsumption(request, in: context)
    case .declineRefund(let decline): return try decideRefundDecline(decline)
    case .reverseRefund(let reversal): return try decideRefundReversal(reversal, in: context)
    case .claim(let id, let token): return try decideClaim(of: id, for: token, in: context)
    case .setAppAccountToken(let request): return try decideToken(request)
    case .setStorefront(let request): return try decideStorefront(request, in: context)
    case .madeShareable(let product): return decideShareable(product, in: context)
    case .reset: return AccountDecision([AccountEvent(.reset)])
    case .expire(let request): return try decideExpiry(request, in: context)
    case .forceRenewal(let request): return try decideForcedRenewal(request, in: context)
    case .backdate(let request): return try decideBackdated(request, in: context)
    case .delete(let request): return try decideDeletion(request)
    case .timer(.renewal(let lineage)): return decideRenewal(of: lineage, in: context)
    case .timer(.graceEnd(let lineage)): return decideGraceEnd(of: lineage, in: context)
    case .timer(.retryEnd(let lineage)): return decideRetryEnd(of: lineage, in: context)
    case .timer(.askToBuy(let id)): return decideAskToBuyExpiry(id)
    case .joinFamily(let name): return try decideJoin(name)
    case .leaveFamily(let name): return decideLeave(name, in: context)
    case .receiveShared(let item): return decideShared(item, in: context)
    case .loseShared(let id, let reason): return decideLoss(of: id, reason: reason, in: context)
    }
  }

  private func decideFinish(_ finish: Finish) -> AccountDecision {
    var seen: Set<TransactionID> = []
    let known = finish.transactionIds.filter { id in
      history[id].map { !$0.isFinished } ?? false && seen.insert(id).inserted
    }
    return AccountDecision(known.isEmpty ? [] : [AccountEvent(.finished, finished: known)])
  }
}
