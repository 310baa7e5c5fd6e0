import Shared
import Wire

extension AccountState {
  func ask(for purchase: Purchase, in context: StoreContext) -> AccountDecision {
    // Apple: repeating a request merges it with the one that waits and restarts its 24 hours.
    let waiting = pending.first { $0.hasIssue != true && $0.purchase.productId == purchase.productId }
    let id = waiting?.id ?? context.request?.description ?? "ask-\(transactionCount)-\(pending.count)"
    let request = PendingPurchase(id: id, purchase: purchase, askedAt: context.now)
    return AccountDecision(
      [AccountEvent(.askedToBuy, detail: .askToBuy(request))], outcome: .pending(askToBuy: id))
  }

  func decideAnswer(_ answer: AnswerAskToBuy, in context: StoreContext) throws(WireError) -> AccountDecision {
    let request = try waiting(answer)
    guard answer.approve || context.world.habits.declinedAskToBuyBuys else {
      return AccountDecision([AccountEvent(.askToBuyDeclined, detail: .answered(askToBuy: request.id))])
    }
    return try goThrough(request, whenOwned: .askToBuyApproved, in: context)
  }

  /// What a purchase waited for has come.
  /// - Parameter kind: of the event when there is nothing to sell any more.
  func goThrough(
    _ request: PendingPurchase, whenOwned kind: AccountEvent.Kind, in context: StoreContext
  ) throws(WireError) -> AccountDecision {
    let answered = AccountEvent.Detail.answered(askToBuy: request.id)
    guard let product = context.world.catalog.product(request.purchase.productId) else {
      throw .refused(
        .productUnavailable, "'\(request.purchase.productId)' has left the catalogue since it was asked for")
    }
    // What is owned by now is handed back, as for any purchase.
    let terms = try terms(of: request.purchase, product)
    if terms.offer == nil, let owned = alreadyOwned(product) {
      return AccountDecision([AccountEvent(kind, detail: answered)], outcome: .existing(owned))
    }
    // Dated at the answer.
    var decision = try buy(product, request.purchase, terms, in: context)
    decision.events[0].detail = answered
    return decision
  }

  private func waiting(_ answer: AnswerAskToBuy) throws(WireError) -> PendingPurchase {
    let candidates = pending.filter { request in
      request.hasIssue != true && (answer.askToBuy == nil || request.id == answer.askToBuy)
        && (answer.productId == nil || request.purchase.productId == answer.productId)
    }
    guard let request = candidates.first else {
      throw .refused(
        .nothingPending,
        "no such purchase waits for approval: it was never asked for, answered already, or ran out after 24 hours")
    }
    guard candidates.count == 1 else {
      let products = candidates.map(\.purchase.productId).joined(separator: ", ")
      throw .refused(.wrongState, "several purchases wait for approval (\(products)): name the product")
    }
    return request
  }

  func decideAskToBuyExpiry(_ id: String) -> AccountDecision {
    guard pending.contains(where: { $0.id == id }) else { return AccountDecision() }
    return AccountDecision([AccountEvent(.askToBuyExpired, detail: .answered(askToBuy: id))])
  }
}
