import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// What the developer's server is told of each thing that can happen to an account.
@Suite struct NotificationTableTests {
  private static let monthly = "pro.monthly"

  /// An account that has bought something, a month of which is paid.
  private func stage(_ product: String? = nil, grace: GracePeriod? = nil) throws -> AccountStage {
    var stage = try AccountStage(gracePeriod: grace)
    if let product { try stage.buy(product) }
    return stage
  }

  private func buy(_ product: String) -> AccountCommand { .purchase(Purchase(productId: product)) }

  private func autoRenew(_ on: Bool) -> AccountCommand {
    .setAutoRenew(SetAutoRenew(productId: NotificationTableTests.monthly, on: on))
  }

  // MARK: Purchases

  @Test(arguments: ["coins", "lifetime", "season"])
  func whatIsNoSubscriptionIsChargedOnce(product: String) throws {
    var stage = try stage()
    #expect(try stage.notified(buy(product)) == ["ONE_TIME_CHARGE"])
  }

  @Test func firstSubscriptionOfAGroupIsAnInitialBuyAndALaterOneAResubscription() throws {
    var stage = try stage()
    #expect(try stage.notified(buy("pro.monthly")) == ["SUBSCRIBED INITIAL_BUY"])
    try stage.play(autoRenew(false))
    try stage.advance(days: 40)
    #expect(try stage.notified(buy("basic.monthly")) == ["SUBSCRIBED RESUBSCRIBE"])
    #expect(try stage.notified(buy("news.weekly")) == ["SUBSCRIBED INITIAL_BUY"], "another group")
  }

  @Test func buyingWhatIsActiveTellsNothing() throws {
    var stage = try stage("pro.monthly")
    #expect(try stage.notified(buy("pro.monthly")) == [])
  }

  @Test func plansChangeAsTheirLevelsAndLengthsSay() throws {
    var stage = try stage("basic.monthly")
    #expect(try stage.notified(buy("pro.monthly")) == ["DID_CHANGE_RENEWAL_PREF UPGRADE"])
    #expect(try stage.notified(buy("pro.other")) == ["DID_CHANGE_RENEWAL_PREF UPGRADE"], "a crossgrade of equal length")
    #expect(try stage.notified(buy("pro.yearly")) == ["DID_CHANGE_RENEWAL_PREF DOWNGRADE"], "of another length")
    #expect(try stage.notified(buy("pro.other")) == ["DID_CHANGE_RENEWAL_PREF"], "taken back")
    #expect(try stage.notified(buy("basic.monthly")) == ["DID_CHANGE_RENEWAL_PREF DOWNGRADE"])
    #expect(try stage.notified(days: 40) == ["DID_RENEW"], "the downgrade takes effect")
  }

  @Test func redeemedOffersOfSubscribersHaveANotificationOfTheirOwn() throws {
    var fresh = try stage()
    #expect(
      try fresh.notified(.redeem(RedeemCode(productId: "pro.monthly", referenceName: "NEW"))) == [
        "SUBSCRIBED INITIAL_BUY"
      ])
    var same = try stage("pro.monthly")
    #expect(
      try same.notified(.redeem(RedeemCode(productId: "pro.monthly", referenceName: "EXISTING"))) == ["OFFER_REDEEMED"])
    var upgrade = try stage("basic.monthly")
    #expect(
      try upgrade.notified(.redeem(RedeemCode(productId: "pro.monthly", referenceName: "EXISTING"))) == [
        "OFFER_REDEEMED UPGRADE"
      ])
    var downgrade = try stage("pro.monthly")
    let lower = PurchaseOffer.promotional(try downgrade.signed("promo.lower", of: "basic.monthly"))
    #expect(
      try downgrade.notified(.purchase(Purchase(productId: "basic.monthly", offer: lower))) == [
        "OFFER_REDEEMED DOWNGRADE"
      ])
  }

  @Test func askToBuyTellsNothingBeforeItIsApproved() throws {
    var stage = try AccountStage(asksToBuy: true)
    #expect(try stage.notified(buy("coins")) == [])
    #expect(try stage.notified(.answerAskToBuy(AnswerAskToBuy(approve: false))) == [])
    #expect(try stage.notified(buy("coins")) == [])
    #expect(try stage.notified(.answerAskToBuy(AnswerAskToBuy(approve: true))) == ["ONE_TIME_CHARGE"])
    #expect(try stage.notified(buy("coins")) == [])
    #expect(try stage.notified(days: 2) == [], "it runs out")
  }

  // MARK: Renewals

  @Test func renewalsAndTheirEnd() throws {
    var stage = try stage("pro.monthly")
    #expect(try stage.notified(days: 65) == ["DID_RENEW", "DID_RENEW"])
    #expect(try stage.notified(autoRenew(false)) == ["DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED"])
    #expect(try stage.notified(autoRenew(true)) == ["DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED"])
    #expect(try stage.notified(autoRenew(false)) == ["DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED"])
    #expect(try stage.notified(days: 40) == ["EXPIRED VOLUNTARY"])
  }

  @Test func failedRenewalsWithoutGrace() throws {
    var stage = try stage("pro.monthly")
    #expect(try stage.notified(.setBilling(SetBilling(fails: true))) == [])
    #expect(try stage.notified(days: 35) == ["DID_FAIL_TO_RENEW"])
    #expect(try stage.notified(.setBilling(SetBilling(fails: false))) == ["DID_RENEW BILLING_RECOVERY"])
    #expect(try stage.notified(.setBilling(SetBilling(fails: true))) == [])
    #expect(try stage.notified(days: 100) == ["DID_FAIL_TO_RENEW", "EXPIRED BILLING_RETRY"])
  }

  @Test func failedRenewalsWithGrace() throws {
    var stage = try stage("pro.monthly", grace: GracePeriod(.sixteenDays))
    try stage.billing(fails: true)
    #expect(try stage.notified(days: 40) == ["DID_FAIL_TO_RENEW GRACE_PERIOD"])
    try stage.billing(fails: false)
    try stage.billing(fails: true)
    #expect(try stage.notified(days: 40) == ["DID_FAIL_TO_RENEW GRACE_PERIOD", "GRACE_PERIOD_EXPIRED"])
    #expect(
      try stage.notified(autoRenew(false)) == [
        "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED", "EXPIRED VOLUNTARY",
      ])
  }

  @Test func priceIncreases() throws {
    func increase(_ consent: Bool) -> AccountCommand {
      .requestPriceIncrease(
        RequestPriceIncrease(productId: "pro.monthly", priceMilliunits: 12_990, needsConsent: consent))
    }
    var told = try stage("pro.monthly")
    #expect(try told.notified(increase(false)) == ["PRICE_INCREASE ACCEPTED"])
    var agreed = try stage("pro.monthly")
    #expect(try agreed.notified(increase(true)) == ["PRICE_INCREASE PENDING"])
    #expect(try agreed.notified(.answerPriceIncrease(AnswerPriceIncrease(agree: true))) == ["PRICE_INCREASE ACCEPTED"])
    #expect(try agreed.notified(days: 35) == ["DID_RENEW"])
    var declined = try stage("pro.monthly")
    try declined.play(increase(true))
    #expect(
      try declined.notified(.answerPriceIncrease(AnswerPriceIncrease(agree: false))) == [
        "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED"
      ])
    #expect(try declined.notified(days: 35) == ["EXPIRED PRICE_INCREASE"])
    var silent = try stage("pro.monthly")
    try silent.play(increase(true))
    #expect(try silent.notified(days: 35) == ["EXPIRED PRICE_INCREASE"])
  }

  @Test func planThatIsNotSoldAnyMoreExpires() throws {
    var stage = try stage("pro.monthly")
    let empty = Data(#"{"version":{"major":4,"minor":0},"products":[]}"#.utf8)
    stage.world.catalog = try Catalog(data: empty, file: "empty")
    #expect(try stage.notified(days: 35) == ["EXPIRED PRODUCT_NOT_FOR_SALE"])
  }

  @Test func extensions() throws {
    var stage = try stage("pro.monthly")
    #expect(try stage.notified(.extend(ExtendSubscription(productId: "pro.monthly", days: 9))) == ["RENEWAL_EXTENDED"])
  }

  // MARK: Refunds

  @Test func refundOfWhatIsAskedAbout() throws {
    var stage = try stage("coins")
    let request = AccountCommand.requestRefund(RequestRefund(productId: "coins", reason: .fulfillmentIssue))
    #expect(try stage.notified(request) == ["CONSUMPTION_REQUEST FULFILLMENT_ISSUE"])
    #expect(try stage.notified(.declineRefund(DeclineRefund(productId: "coins"))) == ["REFUND_DECLINED"])
    #expect(try stage.notified(request) == ["CONSUMPTION_REQUEST FULFILLMENT_ISSUE"], "asked again: another question")
    let full = ConsumptionRequestV2(deliveryStatus: "DELIVERED", refundPreference: "GRANT_FULL")
    let answer = SendConsumptionInformation(
      transactionId: try #require(stage.records.last).transactionId, information: .v2(full))
    #expect(try stage.notified(.sendConsumption(answer)) == ["REFUND"])
    #expect(try stage.notified(.reverseRefund(ReverseRefund(productId: "coins"))) == ["REFUND_REVERSED"])
  }

  @Test func refundOfASubscriptionSwitchesAutoRenewOff() throws {
    var stage = try stage("pro.monthly")
    #expect(
      try stage.notified(.requestRefund(RequestRefund(productId: "pro.monthly"))) == [
        "CONSUMPTION_REQUEST OTHER", "DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED",
      ])
    #expect(try stage.notified(.refund(Refund(productId: "pro.monthly"))) == ["REFUND"])
  }

  @Test func nobodyIsAskedAboutWhatIsOwnedForEver() throws {
    var stage = try stage("lifetime")
    #expect(try stage.notified(.requestRefund(RequestRefund(productId: "lifetime"))) == [])
    #expect(try stage.notified(.refund(Refund(productId: "lifetime"))) == ["REFUND"])
  }

  // MARK: Families

  /// What mum shares, as her family sees it.
  private func shared(_ mum: AccountStage, _ product: String) throws -> SharedItem {
    let record = try #require(mum.records.last { $0.productId == product })
    return SharedItem(
      id: SharedItem.ID(account: "mum", lineage: record.originalTransactionId), record: record,
      renewalInfo: mum.state.history.renewalInfos[record.originalTransactionId], shareableSince: nil)
  }

  @Test func membersAreToldOfForThemselves() throws {
    var mum = try stage("pro.monthly")
    try mum.buy("lifetime")
    var kid = try AccountStage("kid", ordinal: 2)
    try kid.play(.joinFamily("f"))
    func follow(_ product: String) throws -> [String] {
      kid.now = mum.now
      return try kid.notified(.receiveShared(try shared(mum, product)))
    }
    #expect(try follow("lifetime") == ["ONE_TIME_CHARGE"])
    #expect(try follow("pro.monthly") == ["SUBSCRIBED INITIAL_BUY"])
    try mum.advance(days: 35)
    #expect(try follow("pro.monthly") == ["DID_RENEW"])
    try mum.play(autoRenew(false))
    #expect(try follow("pro.monthly") == ["DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED"])
    try mum.play(autoRenew(true))
    #expect(try follow("pro.monthly") == ["DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_ENABLED"])
    try mum.play(.extend(ExtendSubscription(productId: "pro.monthly", days: 3)))
    #expect(try follow("pro.monthly") == ["RENEWAL_EXTENDED"])
    try mum.billing(fails: true)
    try mum.advance(days: 40)
    #expect(try follow("pro.monthly") == ["DID_FAIL_TO_RENEW"])
    try mum.billing(fails: false)
    #expect(try follow("pro.monthly") == ["DID_RENEW BILLING_RECOVERY"])
    try mum.play(autoRenew(false))
    _ = try follow("pro.monthly")
    try mum.advance(days: 40)
    #expect(try follow("pro.monthly") == ["EXPIRED VOLUNTARY"])
    try mum.buy("pro.monthly")
    #expect(try follow("pro.monthly") == ["SUBSCRIBED RESUBSCRIBE"])
    let item = try shared(mum, "pro.monthly").id
    #expect(try kid.notified(.loseShared(item, reason: 0)) == ["REVOKE"])
    #expect(try follow("pro.monthly") == ["SUBSCRIBED RESUBSCRIBE"], "shared again")
    #expect(try kid.notified(.leaveFamily("f")) == ["REVOKE", "REVOKE"])
  }

  // MARK: The data of the moment

  @Test func dataAreThoseOfTheMoment() throws {
    var stage = try stage("pro.monthly")
    let bought = try #require(stage.records.first)
    let before = stage.state
    let decision = try stage.play(autoRenew(false))
    let told = try #require(before.notifications(of: decision.events[0]).first)
    #expect(told.transaction == bought, "the running period, though nothing of it changed")
    #expect(told.renewalInfo?.willAutoRenew == false)
    #expect(told.renewalInfo == stage.info())
    #expect(told.customer == 1)
  }

  @Test func nothingIsToldOfWhatNobodyHasToKnow() throws {
    let silent: Set<AccountEvent.Kind> = [
      .opened, .billingChanged, .finished, .consumptionInformationSent, .offerSignatureUsed, .askedToBuy,
      .askToBuyDeclined, .askToBuyApproved, .askToBuyExpired, .interruptionChanged, .purchaseInterrupted,
      .issueResolved, .claimed, .appAccountTokenSet, .storefrontChanged, .madeShareable, .cutShort, .deleted, .reset,
      .familyJoined, .familyLeft,
    ]
    let stage = try stage("pro.monthly")
    for kind in AccountEvent.Kind.allCases {
      let event = AccountEvent(kind, records: stage.records, renewalInfos: stage.info().map { [$0] } ?? [])
      let told = stage.state.notifications(of: event)
      // Without their details or a change, these say nothing either.
      let needsMore: Set<AccountEvent.Kind> = [
        .refundRequested, .refundDeclined, .autoRenewChanged, .priceIncreaseAnswered,
      ]
      #expect(told.isEmpty == (silent.contains(kind) || needsMore.contains(kind)), "\(kind)")
    }
  }
}

extension StoreNotification {
  /// The type, and what more it says.
  var words: String {
    [type.rawValue, subtype?.rawValue, consumptionRequestReason?.rawValue].compactMap(\.self).joined(separator: " ")
  }
}

extension AccountStage {
  /// What the developer's server is told of what a command does.
  mutating func notified(_ command: AccountCommand) throws -> [String] {
    var before = state
    var told: [StoreNotification] = []
    for event in try play(command).events {
      told += before.notifications(of: event)
      before.evolve(event)
    }
    for notification in told {
      let transaction = try #require(notification.transaction)
      #expect((notification.renewalInfo != nil) == (transaction.type == .autoRenewable))
    }
    return told.map(\.words)
  }

  /// What it is told while time passes.
  mutating func notified(days: Int64) throws -> [String] {
    let end = now.advanced(by: days * 86_400_000)
    var told: [String] = []
    while let next = state.timers.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }), next.value <= end {
      now = next.value
      told += try notified(.timer(try #require(AccountTimer(name: next.key))))
    }
    now = end
    return told
  }
}
