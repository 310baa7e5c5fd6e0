import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Every command in every state has an outcome: one table.
@Suite struct AccountOutcomeTests {
  /// How an account got where it is.
  enum Situation: String, CaseIterable, Sendable {
    case fresh, owned, finished, refunded, waiting, sharedOnly, ownAndShared, subscribed, cancelled, lapsed, inTrial
    case changing, interrupted
  }

  private static func stage(_ situation: Situation, _ product: String) throws -> AccountStage {
    var stage = try AccountStage()
    switch situation {
    case .fresh: break
    case .owned, .subscribed: try stage.buy(product)
    case .finished:
      try stage.buy(product)
      try stage.play(.finish(Finish(transactionIds: stage.records.map(\.transactionId))))
    case .refunded:
      try stage.buy(product)
      try stage.play(.refund(Refund(productId: product)))
    case .waiting: try stage.buy(product, asks: true)
    case .interrupted:
      try stage.play(.setInterruptedPurchases(SetInterruptedPurchases(on: true)))
      try stage.buy(product)
    case .sharedOnly: try share(product, with: &stage)
    case .ownAndShared:
      try share(product, with: &stage)
      try stage.buy(product)
    case .cancelled:
      try stage.buy(product)
      try stage.play(.setAutoRenew(SetAutoRenew(productId: product, on: false)))
    case .lapsed:
      try stage.buy(product)
      try stage.play(.setAutoRenew(SetAutoRenew(productId: product, on: false)))
      try stage.advance(days: 400)
    case .inTrial: try stage.buy("pro.yearly")
    case .changing:
      try stage.buy("pro.monthly")
      try stage.buy("basic.monthly")
    }
    return stage
  }

  private static func share(_ product: String, with stage: inout AccountStage) throws {
    try stage.play(.joinFamily("f"))
    try stage.play(.receiveShared(item(product, of: "mum")))
  }

  static func item(_ product: String, of name: String, change: (inout AccountStage) throws -> Void = { _ in }) throws
    -> SharedItem
  {
    var owner = try AccountStage(name, ordinal: 2)
    try owner.buy(product)
    try change(&owner)
    let record = try #require(owner.records.last)
    return SharedItem(
      id: .init(account: name, lineage: record.originalTransactionId), record: record,
      renewalInfo: owner.state.history.renewalInfos[record.originalTransactionId])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var situation: Situation
    var product: String
    /// buy, buyAsking, finish, refund, approve, decline, interrupt, goOn, resolve, on, off, join, leave.
    var outcomes: [String: String]
    var testDescription: String { "\(situation) \(product)" }

    init(_ situation: Situation, _ product: String, _ outcomes: [String: String]) {
      self.situation = situation
      self.product = product
      self.outcomes = outcomes
    }
  }

  private static let never = [
    "approve": "nothingPending", "decline": "nothingPending", "resolve": "nothingPending",
    "interrupt": "interruptionChanged", "goOn": "nothing", "on": "notASubscription", "off": "notASubscription",
  ]
  private static let first = [
    "buy": "purchased", "buyAsking": "askedToBuy", "finish": "nothing", "refund": "unknownTransaction",
    "join": "familyJoined", "leave": "nothing",
  ]
  private static let have = [
    "finish": "finished", "refund": "refunded", "join": "familyJoined", "leave": "nothing",
  ]

  private static func row(
    _ situation: Situation, _ product: String, _ base: [String: String], _ own: [String: String] = [:]
  ) -> Row {
    Row(situation, product, never.merging(base) { _, new in new }.merging(own) { _, new in new })
  }

  private static let wrong = ["on": "wrongState", "off": "wrongState"]
  private static let renewing = ["on": "nothing", "off": "autoRenewChanged"]

  private static let interrupted = [
    "buy": "purchaseInterrupted", "resolve": "purchased", "interrupt": "nothing", "goOn": "interruptionChanged",
  ]

  static let rows: [Row] = [
    row(.fresh, "coins", first), row(.fresh, "private", first), row(.fresh, "season", first),
    row(.fresh, "pro.monthly", first, wrong),
    row(.owned, "coins", have, ["buy": "purchased", "buyAsking": "askedToBuy"]),
    row(.owned, "season", have, ["buy": "purchased", "buyAsking": "askedToBuy"]),
    row(.owned, "private", have, ["buy": "nothing", "buyAsking": "nothing"]),
    row(.finished, "coins", have, ["buy": "purchased", "buyAsking": "askedToBuy", "finish": "nothing"]),
    row(.finished, "private", have, ["buy": "nothing", "buyAsking": "nothing", "finish": "nothing"]),
    row(.refunded, "coins", have, ["buy": "purchased", "buyAsking": "askedToBuy", "refund": "alreadyRefunded"]),
    row(.refunded, "season", have, ["buy": "purchased", "buyAsking": "askedToBuy", "refund": "alreadyRefunded"]),
    row(.refunded, "private", have, ["buy": "purchased", "buyAsking": "askedToBuy", "refund": "alreadyRefunded"]),
    row(
      .refunded, "pro.monthly", have,
      ["buy": "purchased", "buyAsking": "askedToBuy", "refund": "alreadyRefunded"]
        .merging(wrong) { _, new in new }),
    row(.waiting, "coins", first, ["approve": "purchased", "decline": "askToBuyDeclined"]),
    row(.waiting, "private", first, ["approve": "purchased", "decline": "askToBuyDeclined"]),
    row(.waiting, "season", first, ["approve": "purchased", "decline": "askToBuyDeclined"]),
    row(.interrupted, "coins", first, interrupted), row(.interrupted, "private", first, interrupted),
    row(.interrupted, "season", first, interrupted),
    row(.interrupted, "pro.monthly", first, interrupted.merging(wrong) { _, new in new }),
    row(
      .waiting, "pro.monthly", first,
      ["approve": "purchased", "decline": "askToBuyDeclined"]
        .merging(wrong) { _, new in new }),
    row(
      .sharedOnly, "lifetime", have,
      [
        "buy": "purchased", "buyAsking": "askedToBuy", "refund": "notYours", "join": "alreadyInFamily",
        "leave": "revoked familyLeft",
      ]),
    row(
      .sharedOnly, "pro.monthly", have,
      [
        "buy": "purchased", "buyAsking": "askedToBuy", "refund": "notYours", "join": "alreadyInFamily",
        "leave": "revoked familyLeft",
      ].merging(wrong) { _, new in new }),
    row(
      .ownAndShared, "lifetime", have,
      [
        "buy": "nothing", "buyAsking": "nothing", "join": "alreadyInFamily", "leave": "revoked familyLeft",
      ]),
    row(
      .ownAndShared, "pro.monthly", have,
      [
        "buy": "nothing", "buyAsking": "nothing", "join": "alreadyInFamily", "leave": "revoked familyLeft",
      ].merging(renewing) { _, new in new }),
    row(
      .subscribed, "pro.monthly", have,
      ["buy": "nothing", "buyAsking": "nothing"]
        .merging(renewing) { _, new in new }),
    row(
      .cancelled, "pro.monthly", have,
      [
        "buy": "nothing", "buyAsking": "nothing", "on": "autoRenewChanged", "off": "nothing",
      ]),
    row(
      .lapsed, "pro.monthly", have, ["buy": "purchased", "buyAsking": "askedToBuy"].merging(wrong) { _, new in new }),
    row(.inTrial, "pro.yearly", have, ["buy": "nothing", "buyAsking": "nothing"].merging(renewing) { _, new in new }),
    row(
      .changing, "pro.monthly", have,
      ["buy": "renewalPreferenceChanged", "buyAsking": "askedToBuy"]
        .merging(renewing) { _, new in new }),
  ]

  @Test(arguments: rows)
  func everyCommandHasItsOutcome(row: Row) throws {
    let stage = try AccountOutcomeTests.stage(row.situation, row.product)
    let ids = stage.records.map(\.transactionId)
    let commands: [String: AccountCommand] = [
      "buy": .purchase(Purchase(productId: row.product)),
      "buyAsking": .purchase(Purchase(productId: row.product, simulatesAskToBuy: true)),
      "finish": .finish(Finish(transactionIds: ids + ids + [TransactionID(1)])),
      "refund": .refund(Refund(productId: row.product)),
      "approve": .answerAskToBuy(AnswerAskToBuy(approve: true)),
      "decline": .answerAskToBuy(AnswerAskToBuy(approve: false)),
      "interrupt": .setInterruptedPurchases(SetInterruptedPurchases(on: true)),
      "goOn": .setInterruptedPurchases(SetInterruptedPurchases(on: false)), "resolve": .resolveIssue(ResolveIssue()),
      "on": .setAutoRenew(SetAutoRenew(productId: row.product, on: true)),
      "off": .setAutoRenew(SetAutoRenew(productId: row.product, on: false)),
      "join": .joinFamily("g"), "leave": .leaveFamily("f"),
    ]
    #expect(Set(commands.keys) == Set(row.outcomes.keys))
    for (name, command) in commands {
      var copy = stage
      #expect(copy.outcome(command) == row.outcomes[name], "\(name)")
    }
  }

  @Test(arguments: [
    ("coins", 0, false), ("coins", 1, true), ("coins", 10, true), ("coins", 11, false), ("coins", -1, false),
    ("coins", Int.max, false), ("season", 10, true), ("season", 11, false), ("private", 1, true), ("private", 2, false),
    ("pro.monthly", 1, true), ("pro.monthly", 2, false),
  ])
  func quantityIsOneToTenAndOneForWhatIsOwned(product: String, quantity: Int, isAllowed: Bool) throws {
    var stage = try AccountStage()
    let outcome = stage.outcome(.purchase(Purchase(productId: product, quantity: quantity)))
    #expect(outcome == (isAllowed ? "purchased" : "invalidQuantity"))
    if isAllowed {
      let price = stage.world.catalog.product(product)?.priceMilliunits ?? 0
      #expect(stage.records.map(\.quantity) == [quantity])
      #expect(stage.records.map(\.price) == [price * Int64(quantity)])
    }
  }

  @Test func whatTheCatalogueLacksIsUnavailable() throws {
    var stage = try AccountStage()
    #expect(stage.outcome(.purchase(Purchase(productId: "none"))) == "productUnavailable")
    #expect(stage.outcome(.setAutoRenew(SetAutoRenew(productId: "none", on: true))) == "notASubscription")
    #expect(stage.outcome(.refund(Refund(productId: "none"))) == "unknownTransaction")
    #expect(stage.outcome(.refund(Refund(transactionId: TransactionID(1)))) == "unknownTransaction")
    #expect(stage.outcome(.refund(Refund())) == "badBody")
    #expect(stage.outcome(.claim(transactionId: TransactionID(1), appAccountToken: UUID())) == "unknownTransaction")
  }

  @Test(arguments: [-1, 2, 7])
  func unknownRefundReasonIsRefused(reason: Int) throws {
    var stage = try AccountStage()
    try stage.buy("coins")
    #expect(stage.outcome(.refund(Refund(productId: "coins", reason: reason))) == "badBody")
  }

  @Test func refundOfAProductTakesItsNewestTransactionThatIsNotRefunded() throws {
    var stage = try AccountStage()
    for _ in 0..<3 { try stage.buy("coins") }
    for expected in [[false, false, true], [false, true, true], [true, true, true]] {
      try stage.play(.refund(Refund(productId: "coins")))
      #expect(stage.records.map { $0.revocation != nil } == expected)
    }
    #expect(stage.outcome(.refund(Refund(productId: "coins"))) == "alreadyRefunded")
    #expect(stage.records.allSatisfy { $0.recordRevision == 2 })
  }
}
