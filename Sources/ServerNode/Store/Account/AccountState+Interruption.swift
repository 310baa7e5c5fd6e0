import Shared
import Wire

/// Interrupted purchases: the customer has something to do first, such as agreeing to new terms.
///
/// Apple: Testing an interrupted purchase.
extension AccountState {
  func isInterrupted(_ purchase: Purchase, in context: StoreContext) -> Bool {
    interruptsPurchases || context.world.interruptsPurchases || purchase.isInterrupted == true
  }

  func interrupt(_ purchase: Purchase, in context: StoreContext) -> AccountDecision {
    let id = context.request?.description ?? "issue-\(transactionCount)-\(pending.count)"
    let waiting = PendingPurchase(id: id, purchase: purchase, askedAt: context.now, hasIssue: true)
    return AccountDecision(
      [AccountEvent(.purchaseInterrupted, detail: .askToBuy(waiting))], outcome: .pending(askToBuy: id))
  }

  func decideInterruption(_ change: SetInterruptedPurchases) -> AccountDecision {
    change.on == interruptsPurchases
      ? AccountDecision() : AccountDecision([AccountEvent(.interruptionChanged, detail: .interruption(on: change.on))])
  }

  /// What was interrupted goes through, now.
  func decideIssue(_ resolve: ResolveIssue, in context: StoreContext) throws(WireError) -> AccountDecision {
    let candidates = pending.filter { waiting in
      waiting.hasIssue == true && (resolve.purchase == nil || waiting.id == resolve.purchase)
        && (resolve.productId == nil || waiting.purchase.productId == resolve.productId)
    }
    guard let waiting = candidates.first else {
      throw .refused(
        .nothingPending, "no such purchase has an issue: none was interrupted, or it was resolved already")
    }
    guard candidates.count == 1 else {
      let purchases = candidates.map { "\($0.purchase.productId) \($0.id)" }.joined(separator: ", ")
      throw .refused(.wrongState, "several purchases have an issue (\(purchases)): name the product or the purchase")
    }
    return try goThrough(waiting, whenOwned: .issueResolved, in: context)
  }
}
