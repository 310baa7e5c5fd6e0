import Shared
import Wire

extension AccountState {
  /// A renewal could not be charged. With a grace period the access stays for a while; the store goes on trying for 60
  /// days in all. Lengths are settled now and do not follow later changes of the world.
  func failBilling(
    _ info: RenewalInfo, _ last: TransactionRecord, _ product: CatalogProduct, _ terms: SubscriptionTerms,
    in context: StoreContext
  ) -> AccountEvent {
    let rate = context.world.timeRate
    var cycle = cycles[info.originalTransactionId] ?? RenewalCycle(anchor: info.renewalDate, period: terms.period)
    let retryEnds = info.renewalDate.advanced(by: rate.retryMilliseconds)
    cycle.retryEnds = retryEnds
    let grace = context.world.gracePeriod.flatMap { grace in
      grace.renewals == .all || (last.price > 0 && info.renewalPrice > 0) ? grace : nil
    }
    let next = info.revised {
      $0.status = grace == nil ? .inBillingRetryPeriod : .inGracePeriod
      $0.expirationIntent = ExpirationIntent.billingError
      $0.gracePeriodExpiresDate = grace.map { grace in
        min(retryEnds, info.renewalDate.advanced(by: rate.graceMilliseconds(of: grace, period: terms.period)))
      }
    }
    return AccountEvent(.billingFailed, renewalInfos: [next], cycles: [info.originalTransactionId: cycle])
  }

  func decideGraceEnd(of lineage: TransactionID, in context: StoreContext) -> AccountDecision {
    guard let info = history.renewalInfos[lineage], info.status == .inGracePeriod,
      let end = info.gracePeriodExpiresDate, end <= context.now
    else { return AccountDecision() }
    let next = info.revised {
      $0.status = .inBillingRetryPeriod
      $0.gracePeriodExpiresDate = nil
    }
    return AccountDecision([AccountEvent(.gracePeriodExpired, renewalInfos: [next])])
  }

  func decideRetryEnd(of lineage: TransactionID, in context: StoreContext) -> AccountDecision {
    guard let info = history.renewalInfos[lineage], info.status == .inBillingRetryPeriod,
      let end = cycles[lineage]?.retryEnds, end <= context.now
    else { return AccountDecision() }
    return AccountDecision([lapse(info, intent: ExpirationIntent.billingError)])
  }

  func decideBilling(_ change: SetBilling, in context: StoreContext) throws(WireError) -> AccountDecision {
    if let product = change.productId, context.world.catalog.product(product)?.subscription == nil {
      throw .refused(.notASubscription, "'\(product)' is no auto-renewable subscription of the catalogue")
    }
    var switches = billing
    switches.set(change.productId, fails: change.fails)
    let recovered = change.recovers ?? true ? recoveries(with: switches, in: context) : []
    guard switches != billing else { return AccountDecision(recovered) }
    let detail = AccountEvent.Detail.billing(productId: change.productId, fails: change.fails)
    return AccountDecision([AccountEvent(.billingChanged, detail: detail)] + recovered)
  }

  /// The store can charge again: what failed to renew renews now.
  private func recoveries(with switches: BillingSwitches, in context: StoreContext) -> [AccountEvent] {
    var events: [AccountEvent] = []
    let failed = history.renewalInfos.values.filter { info in
      info.isInBillingRetry && info.inAppOwnershipType == .purchased && !switches.fails(for: info.autoRenewProductId)
    }
    for info in failed.sorted(by: { $0.originalTransactionId < $1.originalTransactionId }) {
      guard let last = history[info.latestTransactionId],
        let product = context.world.catalog.product(info.autoRenewProductId), let terms = product.subscription
      else { continue }
      events.append(recover(info, last, product, terms, offset: UInt64(events.count), in: context))
    }
    return events
  }

  /// Apple: recovered in the grace period, the dates stay as they were; later, a new cycle begins on that day.
  private func recover(
    _ info: RenewalInfo, _ last: TransactionRecord, _ product: CatalogProduct, _ terms: SubscriptionTerms,
    offset: UInt64, in context: StoreContext
  ) -> AccountEvent {
    func recovered(from start: StoreTime) -> AccountEvent {
      renew(info, last, as: product, terms, from: start, .billingRecovered, offset: offset, in: context)
    }
    guard info.status == .inGracePeriod else { return recovered(from: context.now) }
    let event = recovered(from: info.renewalDate)
    // A period shorter than the grace period may be over already: nobody pays for what has passed.
    let isOver = event.records.contains { $0.expiresDate ?? context.now <= context.now }
    return isOver ? recovered(from: context.now) : event
  }
}
