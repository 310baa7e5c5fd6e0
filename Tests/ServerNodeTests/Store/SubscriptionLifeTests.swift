import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Every command to a subscription in every state has an outcome: one table.
@Suite struct SubscriptionLifeTests {
  /// How a subscription got where it is; the renewal falls on 1 January of the next year.
  enum Situation: String, CaseIterable, Sendable {
    case subscribed, cancelled, priceAsked, priceDeclined, inGrace, inRetry, expired, revoked
  }

  private static func stage(_ situation: Situation) throws -> AccountStage {
    var stage = try AccountStage(gracePeriod: situation == .inGrace ? GracePeriod(.sixteenDays) : nil)
    try stage.buy("basic.yearly")
    switch situation {
    case .subscribed: break
    case .cancelled: try stage.play(.setAutoRenew(SetAutoRenew(productId: "basic.yearly", on: false)))
    case .priceAsked: try stage.play(raise)
    case .priceDeclined:
      try stage.play(raise)
      try stage.play(.answerPriceIncrease(AnswerPriceIncrease(agree: false)))
    case .inGrace, .inRetry:
      try stage.billing(fails: true)
      try stage.advance(days: 366)
    case .expired:
      try stage.billing(fails: true)
      try stage.advance(days: 500)
    case .revoked: try stage.play(.refund(Refund(productId: "basic.yearly")))
    }
    return stage
  }

  private static let raise = AccountCommand.requestPriceIncrease(
    RequestPriceIncrease(productId: "basic.yearly", priceMilliunits: 49_990, needsConsent: true))

  private static let commands: [(name: String, command: AccountCommand)] = [
    ("off", .setAutoRenew(SetAutoRenew(productId: "basic.yearly", on: false))),
    ("on", .setAutoRenew(SetAutoRenew(productId: "basic.yearly", on: true))),
    ("fail", .setBilling(SetBilling(fails: true))), ("recover", .setBilling(SetBilling(fails: false))),
    ("raise", raise), ("agree", .answerPriceIncrease(AnswerPriceIncrease(agree: true))),
    ("decline", .answerPriceIncrease(AnswerPriceIncrease(agree: false))),
    ("extend", .extend(ExtendSubscription(productId: "basic.yearly", days: 7))),
    ("ask", .requestRefund(RequestRefund(productId: "basic.yearly"))),
    ("refund", .refund(Refund(productId: "basic.yearly"))),
    ("refuse", .declineRefund(DeclineRefund(productId: "basic.yearly"))),
    ("reverse", .reverseRefund(ReverseRefund(productId: "basic.yearly"))),
    ("again", .purchase(Purchase(productId: "basic.yearly"))),
    ("upgrade", .purchase(Purchase(productId: "pro.monthly"))),
    ("crossgrade", .purchase(Purchase(productId: "basic.monthly"))),
  ]

  /// In the order of the commands.
  static let rows: [(Situation, [String])] = [
    (
      .subscribed,
      [
        "autoRenewChanged", "nothing", "billingChanged", "nothing", "priceIncreaseRequested", "nothingPending",
        "nothingPending", "extended", "refundRequested autoRenewChanged", "refunded", "refundDeclined", "notRefunded",
        "nothing", "purchased", "renewalPreferenceChanged",
      ]
    ),
    (
      .cancelled,
      [
        "nothing", "autoRenewChanged", "billingChanged", "nothing", "wrongState", "nothingPending", "nothingPending",
        "extended", "refundRequested", "refunded", "refundDeclined", "notRefunded", "nothing", "purchased",
        "renewalPreferenceChanged",
      ]
    ),
    (
      .priceAsked,
      [
        "autoRenewChanged", "nothing", "billingChanged", "nothing", "priceIncreaseRequested", "priceIncreaseAnswered",
        "priceIncreaseAnswered", "extended", "refundRequested autoRenewChanged", "refunded", "refundDeclined",
        "notRefunded", "nothing", "purchased", "renewalPreferenceChanged",
      ]
    ),
    (
      .priceDeclined,
      [
        "nothing", "autoRenewChanged", "billingChanged", "nothing", "wrongState", "nothingPending", "nothingPending",
        "extended", "refundRequested", "refunded", "refundDeclined", "notRefunded", "nothing", "purchased",
        "renewalPreferenceChanged",
      ]
    ),
    (
      .inGrace,
      [
        "autoRenewChanged expired", "nothing", "nothing", "billingChanged billingRecovered", "wrongState",
        "nothingPending", "nothingPending", "extensionIneligible", "refundRequested autoRenewChanged expired",
        "refunded", "refundDeclined", "notRefunded", "nothing", "purchased", "renewalPreferenceChanged",
      ]
    ),
    (
      .inRetry,
      [
        "autoRenewChanged expired", "nothing", "nothing", "billingChanged billingRecovered", "wrongState",
        "nothingPending", "nothingPending", "extensionIneligible", "refundRequested autoRenewChanged expired",
        "refunded", "refundDeclined", "notRefunded", "purchased", "purchased", "purchased",
      ]
    ),
    (
      .expired,
      [
        "wrongState", "wrongState", "nothing", "billingChanged", "wrongState", "nothingPending", "nothingPending",
        "extensionIneligible", "refundRequested", "refunded", "refundDeclined", "notRefunded", "purchased",
        "purchased", "purchased",
      ]
    ),
    (
      .revoked,
      [
        "wrongState", "wrongState", "billingChanged", "nothing", "wrongState", "nothingPending", "nothingPending",
        "extensionIneligible", "alreadyRefunded", "alreadyRefunded", "alreadyRefunded", "refundReversed", "purchased",
        "purchased", "purchased",
      ]
    ),
  ]

  @Test(arguments: rows)
  func everyCommandHasItsOutcome(situation: Situation, outcomes: [String]) throws {
    let stage = try Self.stage(situation)
    #expect(Self.commands.count == outcomes.count)
    for ((name, command), expected) in zip(Self.commands, outcomes) {
      var copy = stage
      #expect(copy.outcome(command) == expected, "\(name)")
      #expect(copy.state.timers.values.allSatisfy { $0 > copy.now }, "\(name)")
    }
  }

  /// What a user's backend sees, state by state.
  @Test(arguments: [
    (Situation.subscribed, UserEntitlement.Status.active, true), (.cancelled, .active, true),
    (.inGrace, .grace, true), (.inRetry, .billingRetry, false), (.expired, .expired, false),
    (.revoked, .revoked, false),
  ])
  func userKeepsAccessInGraceAndNotInRetry(
    situation: Situation, status: UserEntitlement.Status, isEntitled: Bool
  ) throws {
    let stage = try Self.stage(situation)
    let record = try #require(stage.records.last)
    let entitlement = UserEntitlement(account: "alice", record: record, info: stage.info())
    #expect(entitlement.status == status)
    #expect(entitlement.isEntitled == isEntitled)
    #expect(stage.entitled == (isEntitled ? ["basic.yearly"] : []))
    if situation == .inGrace { #expect(entitlement.expiresDate == stage.info()?.gracePeriodExpiresDate) }
  }

  @Test func whatIsNoSubscriptionHasNoBillingPriceOrExtension() throws {
    var stage = try AccountStage()
    try stage.buy("lifetime")
    #expect(stage.outcome(.setBilling(SetBilling(productId: "lifetime", fails: true))) == "notASubscription")
    let raise = RequestPriceIncrease(productId: "lifetime", priceMilliunits: 90_000, needsConsent: true)
    #expect(stage.outcome(.requestPriceIncrease(raise)) == "notASubscription")
    #expect(stage.outcome(.extend(ExtendSubscription(productId: "lifetime", days: 1))) == "notASubscription")
    #expect(stage.outcome(.extend(ExtendSubscription(productId: "pro.monthly", days: 1))) == "unknownTransaction")
    #expect(stage.outcome(.requestRefund(RequestRefund())) == "badBody")
  }
}
