import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Random lives of one account without a node. A failing seed is the test's argument.
@Suite struct AccountPropertyTests {
  private static let products = [
    "coins", "lifetime", "private", "season", "pro.monthly", "pro.yearly", "pro.other", "basic.monthly", "basic.yearly",
    "news.weekly", "none",
  ]

  @Test(arguments: UInt64(1)...20, [TimeRate.realTime, .monthlyRenewalEveryHour, .oneRenewalEveryFiveMinutes])
  func everyCommandLeavesASoundAccount(seed: UInt64, rate: TimeRate) throws {
    _ = try live(seed: seed, rate: rate)
  }

  @Test func livesHaveOffersOfEveryKind() throws {
    let kinds = try (UInt64(21)...26).reduce(into: Set<Int>()) { $0.formUnion(try live(seed: $1, rate: .realTime)) }
    #expect(kinds.isSuperset(of: 1...4), "introductory, promotional, codes, win-back")
  }

  /// - Returns: the types of the offers that the account had.
  private func live(seed: UInt64, rate: TimeRate) throws -> Set<Int> {
    var random = SplitMix64(seed: seed)
    let grace: [GracePeriod?] = [nil, GracePeriod(.threeDays), GracePeriod(.twentyEightDays, renewals: .paidToPaid)]
    var stage = try AccountStage(
      asksToBuy: seed % 3 == 0, timeRate: rate, gracePeriod: grace[Int(seed / 3 % 3)])
    var seen: [TransactionID: TransactionRecord] = [:]
    var kinds: Set<Int> = []
    for _ in 0..<250 {
      let before = stage.state
      if Int.random(in: 0..<4, using: &random) == 0 {
        let milliseconds = Int64.random(in: 0...(rate == .realTime ? 45 * 86_400_000 : 2 * 3_600_000), using: &random)
        // A rate of the world may change at any time.
        if rate != .realTime { stage.world.timeRate = Bool.random(using: &random) ? rate : .monthlyRenewalEveryHour }
        try stage.advance(to: stage.now.advanced(by: milliseconds))
      } else {
        let command = AccountPropertyTests.command(&random, stage)
        if (try? stage.play(command)) == nil {
          // The signature of an offer is used up by a purchase that is refused.
          #expect(stage.state == before || stage.state.usedOfferNonces != before.usedOfferNonces, "seed \(seed)")
        } else if stage.records.count > before.history.records.count, let offer = stage.records.last?.offer {
          kinds.insert(offer.type)
        }
      }
      check(stage, seed, &seen)
    }
    #expect(stage.records.count > 2)
    return kinds
  }

  private static func command(_ random: inout SplitMix64, _ stage: AccountStage) -> AccountCommand {
    let product = products.randomElement(using: &random) ?? ""
    let on = Bool.random(using: &random)
    if let request = stage.state.pending.first, Bool.random(using: &random) {
      return .answerAskToBuy(AnswerAskToBuy(approve: on, askToBuy: request.id))
    }
    switch Int.random(in: 0..<24, using: &random) {
    case 18...20:
      guard let offered = offer(&random, stage) else { return .finish(Finish(transactionIds: [])) }
      return .purchase(
        Purchase(productId: offered.product, simulatesAskToBuy: product == "none", offer: offered.offer))
    case 21:
      let codes =
        [("pro.monthly", "NEW"), ("pro.monthly", "EXISTING"), ("pro.monthly", "EXPIRED")]
        + [("pro.yearly", "AFTER"), ("pro.yearly", "INSTEAD"), ("basic.monthly", "LOWER"), ("coins", "NONE")]
      let (plan, name) = codes.randomElement(using: &random) ?? ("none", "NONE")
      return .redeem(RedeemCode(productId: plan, referenceName: name))
    case 22:
      let id = stage.records.randomElement(using: &random)?.transactionId ?? TransactionID(1)
      let preference = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED", nil].randomElement(using: &random) ?? nil
      let used = Int64.random(in: 0...100_001, using: &random)
      let information = ConsumptionRequestV2(consumptionPercentage: used, refundPreference: preference)
      return .sendConsumption(SendConsumptionInformation(transactionId: id, information: .v2(information)))
    case 23: return .madeShareable(productId: product)
    case 0..<5:
      let quantity = Int.random(in: 0...11, using: &random)
      return .purchase(Purchase(productId: product, quantity: on ? 1 : quantity, appAccountToken: random.uuid()))
    case 5: return .refund(Refund(productId: product, reason: Int.random(in: 0...2, using: &random)))
    case 6: return .setAutoRenew(SetAutoRenew(productId: product, on: on))
    case 7: return .answerAskToBuy(AnswerAskToBuy(approve: on, productId: product))
    case 8: return .finish(Finish(transactionIds: stage.records.suffix(3).map(\.transactionId)))
    case 9: return on ? .joinFamily("f") : .leaveFamily("f")
    case 10:
      let item = try? AccountOutcomeTests.item(on ? "lifetime" : "pro.monthly", of: "mum") { owner in
        if product == "coins" { try owner.play(.refund(Refund(productId: on ? "lifetime" : "pro.monthly"))) }
      }
      guard let item else { return .leaveFamily("f") }
      return product == "none" ? .loseShared(item.id, reason: 0) : .receiveShared(item)
    case 11, 12: return .setBilling(SetBilling(productId: on ? nil : product, fails: Bool.random(using: &random)))
    case 13:
      let price = Int64.random(in: 0...50_000, using: &random)
      return .requestPriceIncrease(RequestPriceIncrease(productId: product, priceMilliunits: price, needsConsent: on))
    case 14: return .answerPriceIncrease(AnswerPriceIncrease(agree: on))
    case 15: return .extend(ExtendSubscription(productId: product, days: Int.random(in: 0...91, using: &random)))
    case 16:
      return on ? .requestRefund(RequestRefund(productId: product)) : .reverseRefund(ReverseRefund(productId: product))
    default:
      let id = stage.records.randomElement(using: &random)?.transactionId ?? TransactionID(1)
      return .claim(transactionId: id, appAccountToken: random.uuid())
    }
  }

  /// An offer of each kind, signed as it should be; whether the account may have it is the store's matter.
  private static func offer(
    _ random: inout SplitMix64, _ stage: AccountStage
  ) -> (product: String, offer: PurchaseOffer)? {
    let nonce = random.uuid()
    // Few lives are ever eligible to be won back: those that are take it up often.
    let eligible = stage.state.history.renewalInfos.values.flatMap(\.eligibleWinBackOfferIds)
    if !eligible.isEmpty, Bool.random(using: &random) {
      return eligible.contains("return.free")
        ? ("pro.monthly", .winBack(offerId: "return.free", priceMilliunits: 0))
        : ("basic.yearly", .winBack(offerId: "return.cheap", priceMilliunits: 9_990))
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let offers =
        [("pro.monthly", "promo.free"), ("pro.monthly", "promo.front"), ("pro.monthly", "promo.pay")]
        + [("basic.monthly", "promo.lower"), ("pro.yearly", "promo.free")]
      guard let (plan, id) = offers.randomElement(using: &random) else { return nil }
      return (try? stage.signed(id, of: plan, nonce: nonce)).map { (plan, .promotional($0)) }
    case 1:
      let id = ["promo.free", "promo.front", "promo.pay"].randomElement(using: &random) ?? ""
      let claims = stage.claims(id) { $0.nonce = nonce }
      return (try? stage.jws(claims)).map { ("pro.monthly", .promotionalJWS(offerId: id, jws: $0)) }
    case 2:
      let plan = ["pro.yearly", "basic.monthly", "news.weekly"].randomElement(using: &random) ?? ""
      let allows = [true, false, nil].randomElement(using: &random) ?? nil
      return (try? stage.eligibility(allows, of: plan)).map { (plan, $0) }
    default:
      let offers: [(String, String, Int64)] = [
        ("pro.monthly", "return.free", 0), ("basic.yearly", "return.cheap", 9_990), ("pro.monthly", "not.for.you", 0),
      ]
      guard let (plan, id, price) = offers.randomElement(using: &random) else { return nil }
      return (plan, .winBack(offerId: id, priceMilliunits: price))
    }
  }

  private func check(_ stage: AccountStage, _ seed: UInt64, _ seen: inout [TransactionID: TransactionRecord]) {
    for record in stage.records {
      if let known = seen[record.transactionId] {
        #expect(record.recordRevision >= known.recordRevision, "seed \(seed)")
        #expect(
          (record.expiresDate ?? stage.now) >= (known.expiresDate ?? stage.now),
          "only an extension moves an end date, into the future; seed \(seed)")
        #expect(!known.isFinished || record.isFinished, "finished is for ever; seed \(seed)")
        #expect(
          known.revocation == nil || record.revocation == nil || record.revocation == known.revocation, "seed \(seed)")
        var same = record
        same.isFinished = known.isFinished
        #expect(same == known || record.recordRevision > known.recordRevision, "seed \(seed)")
      }
      seen[record.transactionId] = record
    }
    let own = stage.state.history.currentEntitlements().filter { $0.inAppOwnershipType == .purchased }
    let groups = own.compactMap(\.subscriptionGroupIdentifier)
    #expect(Set(groups).count == groups.count, "one own active subscription per group; seed \(seed)")
    #expect(!own.contains { $0.type == .consumable || $0.revocation != nil || $0.isUpgraded })
    for info in stage.state.history.renewalInfos.values {
      checkInfo(info, stage, seed)
    }
    for (id, request) in stage.state.refundRequests {
      #expect(stage.state.history[id].map { $0.revocation == nil } == true, "it waits for nothing; seed \(seed)")
      #expect(request.transactionId == id)
    }
    #expect(stage.state.timers.values.allSatisfy { $0 > stage.now }, "seed \(seed)")
    #expect(stage.state.family != nil || stage.state.grants.isEmpty, "seed \(seed)")
    let shared = stage.state.history.currentEntitlements().filter { $0.inAppOwnershipType == .familyShared }
    #expect(stage.state.family != nil || shared.isEmpty, "family access goes with the family; seed \(seed)")
    #expect(Set(stage.state.pending.map(\.purchase.productId)).count == stage.state.pending.count)
  }

  /// What fits together in a renewal info, whatever the account has been through.
  private func checkInfo(_ info: RenewalInfo, _ stage: AccountStage, _ seed: UInt64) {
    let timers = stage.state.timers.keys.filter { $0.hasSuffix("/\(info.originalTransactionId)") }
    let waits = info.status == .subscribed || info.isInBillingRetry
    let isOwn = info.inAppOwnershipType == .purchased
    #expect(timers.count == (waits && isOwn ? 1 : 0), "one timer each; seed \(seed)")
    #expect((info.status == .inGracePeriod) == (info.gracePeriodExpiresDate != nil), "seed \(seed)")
    #expect(!info.isInBillingRetry || info.expirationIntent == ExpirationIntent.billingError, "seed \(seed)")
    #expect(info.status != .subscribed || info.expirationIntent == nil, "seed \(seed)")
    #expect(waits || !info.willAutoRenew, "what has ended does not renew; seed \(seed)")
    #expect(info.priceIncreaseStatus == nil || waits, "seed \(seed)")
    guard isOwn, let latest = stage.state.history[info.latestTransactionId] else { return }
    #expect(latest.expiresDate == info.renewalDate, "seed \(seed)")
    let isBlocked = stage.state.history.renewalInfos.values.contains {
      $0.subscriptionGroupIdentifier == info.subscriptionGroupIdentifier && ($0.isActive || $0.isInBillingRetry)
    }
    #expect(info.eligibleWinBackOfferIds.isEmpty || !isBlocked && info.status == .expired, "seed \(seed)")
  }
}
