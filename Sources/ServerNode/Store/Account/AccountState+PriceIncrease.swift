import Shared
import Wire

extension AccountState {
  func decidePriceIncrease(
    _ request: RequestPriceIncrease, in context: StoreContext
  ) throws(WireError) -> AccountDecision {
    guard let product = context.world.catalog.product(request.productId), let terms = product.subscription else {
      throw .refused(.notASubscription, "'\(request.productId)' is no auto-renewable subscription of the catalogue")
    }
    guard let info = ownSubscription(inGroup: terms.groupID), info.status == .subscribed, info.willAutoRenew,
      info.productId == product.id, info.autoRenewProductId == product.id,
      var cycle = cycles[info.originalTransactionId]
    else {
      throw .refused(.wrongState, "the account has no subscription of its own that renews as '\(product.id)'")
    }
    guard request.priceMilliunits <= Milliunits.maximum else {
      throw WireError(.badBody, "price \(request.priceMilliunits) is refused: expected \(Milliunits.maximum) at most")
    }
    let before = cycle.price(of: product)
    guard request.priceMilliunits > before else {
      throw .refused(
        .notAnIncrease,
        "'\(product.id)' costs \(Milliunits.text(before)) now: expected a higher price than that, "
          + "not \(Milliunits.text(request.priceMilliunits))")
    }
    let answer: PriceIncrease.Answer = request.needsConsent ? .pending : .agreed
    cycle.priceIncrease = PriceIncrease(
      productId: product.id, price: request.priceMilliunits, priceBefore: before, answer: answer)
    return announce(cycle, of: product.id, info, .priceIncreaseRequested)
  }

  func decideConsent(_ answer: AnswerPriceIncrease) throws(WireError) -> AccountDecision {
    let waiting = history.renewalInfos.values.filter { info in
      let increase = comingIncrease(of: info.autoRenewProductId, info)
      return info.status == .subscribed && info.inAppOwnershipType == .purchased && increase?.answer == .pending
        && (answer.productId == nil || increase?.productId == answer.productId)
    }
    guard let info = waiting.first, var cycle = cycles[info.originalTransactionId] else {
      throw .refused(.nothingPending, "no such price increase waits for an answer")
    }
    guard waiting.count == 1 else {
      let products = waiting.map(\.autoRenewProductId).sorted().joined(separator: ", ")
      throw .refused(.wrongState, "several price increases wait for an answer (\(products)): name the product")
    }
    cycle.priceIncrease?.answer = answer.agree ? .agreed : .declined
    return announce(cycle, of: info.autoRenewProductId, info, .priceIncreaseAnswered)
  }

  /// The increase that the next renewal as a product brings; nil when there is none, or it has come already.
  func comingIncrease(of productId: String, _ info: RenewalInfo) -> PriceIncrease? {
    guard let increase = cycles[info.originalTransactionId]?.priceIncrease, increase.productId == productId,
      !hasCome(increase, info)
    else { return nil }
    return increase
  }

  /// Whether the running period was paid at the new price already.
  private func hasCome(_ increase: PriceIncrease, _ info: RenewalInfo) -> Bool {
    guard increase.answer == .agreed, let last = history[info.latestTransactionId] else { return false }
    return last.productId == increase.productId && last.offer == nil && last.price == increase.price
  }

  private func announce(
    _ cycle: RenewalCycle, of productId: String, _ info: RenewalInfo, _ kind: AccountEvent.Kind
  ) -> AccountDecision {
    guard let increase = cycle.priceIncrease else { return AccountDecision() }
    let next = info.revised {
      $0.priceIncreaseStatus = increase.status
      // Who declines lets the subscription expire.
      if increase.answer == .declined { $0.willAutoRenew = false }
      if increase.answer == .agreed, $0.nextOffer == nil { $0.renewalPrice = increase.price }
    }
    return AccountDecision([
      AccountEvent(kind, renewalInfos: [next], cycles: [info.originalTransactionId: cycle])
    ])
  }
}
