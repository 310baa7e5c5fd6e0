import ServerNode
import Shared
import Testing
import Wire

/// What the store and the developer do to a subscription, in every state that it can be in: one table for billing and
/// one for price increases.
@Suite struct SubscriptionOutcomeTests {
  enum Situation: String, CaseIterable, Sendable {
    case never, subscribed, cancelled, inGrace, inRetry, lapsed, refunded, shared
    case asked, agreed, declined, leaving
  }

  private static let plan = "pro.monthly"

  private static func stage(_ situation: Situation) throws -> AccountStage {
    var stage = try AccountStage(gracePeriod: situation == .inGrace ? GracePeriod(.sixteenDays) : nil)
    switch situation {
    case .never: return stage
    case .shared:
      try stage.play(.joinFamily("f"))
      try stage.play(.receiveShared(AccountOutcomeTests.item(plan, of: "mum")))
      return stage
    default: try stage.buy(plan)
    }
    switch situation {
    case .never, .shared, .subscribed: break
    case .cancelled: try stage.play(.setAutoRenew(SetAutoRenew(productId: plan, on: false)))
    case .inGrace, .inRetry:
      try stage.billing(fails: true)
      try stage.advance(days: 32)
    case .lapsed:
      try stage.play(.setAutoRenew(SetAutoRenew(productId: plan, on: false)))
      try stage.advance(days: 40)
    case .refunded: try stage.play(.refund(Refund(productId: plan)))
    case .asked: try stage.play(increase(to: 12_990))
    case .agreed, .declined:
      try stage.play(increase(to: 12_990))
      try stage.play(.answerPriceIncrease(AnswerPriceIncrease(agree: situation == .agreed)))
    case .leaving: try stage.buy("basic.monthly")
    }
    return stage
  }

  private static func increase(to price: Int64, consent: Bool = true) -> AccountCommand {
    .requestPriceIncrease(RequestPriceIncrease(productId: plan, priceMilliunits: price, needsConsent: consent))
  }

  // MARK: Billing

  private static let billing: [(name: String, command: AccountCommand)] = [
    ("fail", .setBilling(SetBilling(fails: true))), ("recover", .setBilling(SetBilling(fails: false))),
    ("failPlan", .setBilling(SetBilling(productId: plan, fails: true))),
    ("failNone", .setBilling(SetBilling(productId: "coins", fails: true))),
    ("off", .setAutoRenew(SetAutoRenew(productId: plan, on: false))),
    ("buy", .purchase(Purchase(productId: plan))),
    ("extend", .extend(ExtendSubscription(productId: plan, days: 30))),
    ("refund", .refund(Refund(productId: plan))),
  ]

  private static let fine = ["billingChanged", "nothing", "billingChanged", "notASubscription"]
  private static let failing = ["nothing", "billingChanged billingRecovered", "billingChanged", "notASubscription"]

  static let billingTable: [(Situation, [String])] = [
    (.never, fine + ["wrongState", "purchased", "unknownTransaction", "unknownTransaction"]),
    (.subscribed, fine + ["autoRenewChanged", "nothing", "extended", "refunded"]),
    (.cancelled, fine + ["nothing", "nothing", "extended", "refunded"]),
    (.inGrace, failing + ["autoRenewChanged expired", "nothing", "extensionIneligible", "refunded"]),
    (.inRetry, failing + ["autoRenewChanged expired", "purchased", "extensionIneligible", "refunded"]),
    (.lapsed, fine + ["wrongState", "purchased", "extensionIneligible", "refunded"]),
    (.refunded, fine + ["wrongState", "purchased", "extensionIneligible", "alreadyRefunded"]),
    (.shared, fine + ["wrongState", "purchased", "notYours", "notYours"]),
    (.asked, fine + ["autoRenewChanged", "nothing", "extended", "refunded"]),
    (.leaving, fine + ["autoRenewChanged", "renewalPreferenceChanged", "extended", "refunded"]),
  ]

  @Test(arguments: billingTable)
  func everyCommandOfBillingHasItsOutcome(row: (Situation, [String])) throws {
    try check(row, Self.billing)
  }

  // MARK: Prices

  private static let prices: [(name: String, command: AccountCommand)] = [
    ("raise", increase(to: 14_990)), ("raiseForAll", increase(to: 14_990, consent: false)),
    ("same", increase(to: 9_990)), ("tooHigh", increase(to: .max)),
    (
      "raiseNone",
      .requestPriceIncrease(RequestPriceIncrease(productId: "coins", priceMilliunits: 99_000, needsConsent: true))
    ),
    ("agree", .answerPriceIncrease(AnswerPriceIncrease(agree: true))),
    ("decline", .answerPriceIncrease(AnswerPriceIncrease(agree: false))),
    ("answerOther", .answerPriceIncrease(AnswerPriceIncrease(productId: "pro.yearly", agree: true))),
  ]

  private static let nothingAsked = ["nothingPending", "nothingPending", "nothingPending"]
  private static let impossible =
    ["wrongState", "wrongState", "wrongState", "wrongState", "notASubscription"] + nothingAsked
  private static let raisable = [
    "priceIncreaseRequested", "priceIncreaseRequested", "notAnIncrease", "badBody", "notASubscription",
  ]

  static let priceTable: [(Situation, [String])] = [
    (.never, impossible), (.cancelled, impossible), (.inGrace, impossible), (.inRetry, impossible),
    (.lapsed, impossible), (.refunded, impossible), (.shared, impossible), (.leaving, impossible),
    (.declined, impossible),
    (.subscribed, raisable + nothingAsked), (.agreed, raisable + nothingAsked),
    (.asked, raisable + ["priceIncreaseAnswered", "priceIncreaseAnswered", "nothingPending"]),
  ]

  @Test(arguments: priceTable)
  func everyCommandOfPricesHasItsOutcome(row: (Situation, [String])) throws { try check(row, Self.prices) }

  @Test func everyStateIsInTheTableOfPrices() {
    #expect(Set(Self.priceTable.map(\.0)) == Set(Situation.allCases))
  }

  private func check(_ row: (Situation, [String]), _ commands: [(name: String, command: AccountCommand)]) throws {
    let stage = try Self.stage(row.0)
    #expect(row.1.count == commands.count)
    for (index, (name, command)) in commands.enumerated() {
      var copy = stage
      let outcome = copy.outcome(command)
      #expect(outcome == row.1[index], "\(row.0) \(name)")
      if WireErrorName.all.contains(outcome) { #expect(copy.state == stage.state, "a refusal changes nothing") }
    }
  }
}

/// The outcomes of these tables that are refusals.
private enum WireErrorName {
  static let all: Set = [
    "wrongState", "unknownTransaction", "notASubscription", "extensionIneligible", "alreadyRefunded", "notYours",
    "notAnIncrease", "badBody", "nothingPending",
  ]
}
