import ServerNode
import Shared
import Testing
import Wire

/// Money back that a customer asks for, and what the developer's server says to it.
@Suite struct RefundRequestTests {
  /// How far a request is.
  enum Situation: String, CaseIterable, Sendable {
    case none, asked, told, overdue, refunded, declined
  }

  private static func stage(_ situation: Situation, _ product: String) throws -> AccountStage {
    var stage = try AccountStage()
    try stage.buy(product)
    guard situation != .none else { return stage }
    try stage.play(.requestRefund(RequestRefund(productId: product, reason: .fulfillmentIssue)))
    switch situation {
    case .none, .asked: break
    case .told: try stage.play(tell(stage, nil))
    case .overdue: try stage.advance(to: stage.now.advanced(by: RefundRequest.answerMilliseconds + 1))
    case .refunded: try stage.play(.refund(Refund(productId: product)))
    case .declined: try stage.play(.declineRefund(DeclineRefund(productId: product)))
    }
    return stage
  }

  private static func tell(
    _ stage: AccountStage, _ preference: String?, percentage: Int64? = nil
  ) -> AccountCommand {
    let information = ConsumptionRequestV2(consumptionPercentage: percentage, refundPreference: preference)
    let id = stage.records.last?.transactionId ?? TransactionID(1)
    return .sendConsumption(SendConsumptionInformation(transactionId: id, information: .v2(information)))
  }

  private static let columns = [
    "request", "tell", "tellDecline", "tellFull", "tellProrated", "refund", "decline", "reverse",
  ]
  private static let late = ["noRefundRequest", "noRefundRequest", "noRefundRequest", "noRefundRequest"]
  private static let open = [
    "duplicateRefundRequest", "consumptionInformationSent", "consumptionInformationSent refundDeclined",
    "consumptionInformationSent refunded", "consumptionInformationSent refunded", "refunded", "refundDeclined",
    "notRefunded",
  ]

  /// Of a consumable. A subscription's auto-renew goes off with the request, and all else is the same.
  static let table: [(Situation, [String])] = [
    (.none, ["refundRequested"] + late + ["refunded", "refundDeclined", "notRefunded"]),
    (.asked, open), (.told, open),
    (.overdue, ["duplicateRefundRequest"] + late + ["refunded", "refundDeclined", "notRefunded"]),
    (.refunded, ["alreadyRefunded"] + late + ["alreadyRefunded", "alreadyRefunded", "refundReversed"]),
    (.declined, ["refundRequested"] + late + ["refunded", "refundDeclined", "notRefunded"]),
  ]

  @Test(arguments: table, ["coins", "pro.monthly"])
  func everyCommandHasItsOutcome(row: (Situation, [String]), product: String) throws {
    let stage = try Self.stage(row.0, product)
    let commands: [AccountCommand] = [
      .requestRefund(RequestRefund(productId: product)), Self.tell(stage, nil), Self.tell(stage, "DECLINE"),
      Self.tell(stage, "GRANT_FULL"), Self.tell(stage, "GRANT_PRORATED"), .refund(Refund(productId: product)),
      .declineRefund(DeclineRefund(productId: product)), .reverseRefund(ReverseRefund(productId: product)),
    ]
    #expect(commands.count == Self.columns.count && row.1.count == Self.columns.count)
    for (index, command) in commands.enumerated() {
      var copy = stage
      var expected = row.1[index]
      if product == "pro.monthly", row.0 == .none, expected == "refundRequested" { expected += " autoRenewChanged" }
      let outcome = copy.outcome(command)
      #expect(outcome == expected, "\(row.0) \(Self.columns[index])")
      // What a refusal left is as it was; what was decided waits no longer.
      if outcome.contains("refunded") || outcome.contains("refundDeclined") {
        #expect(copy.state.refundRequests.isEmpty)
      }
    }
  }

  @Test(arguments: ["private", "season"])
  func whatIsNeitherConsumableNorSubscriptionIsNotAskedAbout(product: String) throws {
    var stage = try Self.stage(.asked, product)
    #expect(stage.state.refundRequests.values.first?.answerBy == nil)
    #expect(stage.outcome(Self.tell(stage, "DECLINE")) == "transactionTypeNotSupported")
    #expect(stage.outcome(.declineRefund(DeclineRefund(productId: product))) == "refundDeclined")
  }

  @Test func theServerHasTwelveHoursOfStoreTime() throws {
    var stage = try Self.stage(.asked, "coins")
    let asked = stage.now
    #expect(stage.state.refundRequests.values.first?.answerBy == asked.advanced(by: 12 * 3_600_000))
    try stage.advance(to: asked.advanced(by: 12 * 3_600_000))
    #expect(stage.outcome(Self.tell(stage, nil)) == "consumptionInformationSent", "the last moment counts")
    try stage.advance(to: stage.now.advanced(by: 1))
    #expect(stage.outcome(Self.tell(stage, nil)) == "noRefundRequest")
  }

  @Test(
    arguments: [
      (nil, "REFUND_FULL", 100_000), (0, "REFUND_FULL", 100_000), (40_000, "REFUND_PRORATED", 60_000),
      (99_999, "REFUND_PRORATED", 1),
    ] as [(Int64?, String, Int64)])
  func whatWasNotUsedIsGivenBack(used: Int64?, type: String, back: Int64) throws {
    var stage = try Self.stage(.asked, "coins")
    try stage.play(Self.tell(stage, "GRANT_PRORATED", percentage: used))
    let revocation = try #require(stage.records[0].revocation)
    #expect(revocation.type == type && revocation.percentage == back)
    #expect(revocation.reason == Revocation.appIssue, "what was not delivered is an issue of the app")
  }

  @Test func nothingIsGivenBackOfWhatWasUsedUp() throws {
    var stage = try Self.stage(.asked, "coins")
    #expect(
      stage.outcome(Self.tell(stage, "GRANT_PRORATED", percentage: 100_000))
        == "consumptionInformationSent refundDeclined")
  }

  /// Hours of January's 31 days, when the developer's server answers.
  @Test(arguments: [(186, 75_000), (372, 50_000), (558, 25_000)] as [(Int64, Int64)])
  func ofASubscriptionTheTimeThatIsLeftIsGivenBack(hours: Int64, back: Int64) throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    try stage.advance(to: stage.now.advanced(by: (hours - 12) * 3_600_000))
    try stage.play(.requestRefund(RequestRefund(productId: "pro.monthly")))
    try stage.advance(to: stage.now.advanced(by: 12 * 3_600_000))
    try stage.play(Self.tell(stage, "GRANT_PRORATED"))
    let revocation = try #require(stage.records.first?.revocation)
    #expect(revocation.percentage == back)
    #expect(revocation.reason == Revocation.other)
  }

  @Test func theFirstFormOfTheAnswerIsUnderstoodToo() throws {
    for (preference, outcome) in [
      (nil, ""), (0, ""), (1, " refunded"), (2, " refundDeclined"), (3, ""),
    ] as [(Int?, String)] {
      var stage = try Self.stage(.asked, "coins")
      let id = stage.records[0].transactionId
      let information = ConsumptionInformation.v1(ConsumptionRequestV1(refundPreference: preference))
      let command = AccountCommand.sendConsumption(
        SendConsumptionInformation(transactionId: id, information: information))
      #expect(stage.outcome(command) == "consumptionInformationSent" + outcome)
    }
  }

  @Test func eachPurchaseHasARequestOfItsOwn() throws {
    var stage = try AccountStage()
    for _ in 0..<3 { try stage.buy("coins") }
    let ids = stage.records.map(\.transactionId)
    for _ in 0..<3 { try stage.play(.requestRefund(RequestRefund(productId: "coins"))) }
    #expect(Set(stage.state.refundRequests.keys) == Set(ids))
    #expect(stage.outcome(.requestRefund(RequestRefund(productId: "coins"))) == "duplicateRefundRequest")
    try stage.play(.refund(Refund(transactionId: ids[2])))
    try stage.play(.declineRefund(DeclineRefund(transactionId: ids[1])))
    #expect(stage.outcome(.declineRefund(DeclineRefund(productId: "coins"))) == "refundDeclined")
    #expect(stage.state.refundRequests.isEmpty, "of a product, the one that was asked for is meant")
    #expect(stage.records.map { $0.revocation != nil } == [false, false, true])
  }

  @Test func somebodyElsesPurchaseIsUnknown() throws {
    var stage = try Self.stage(.asked, "coins")
    let command = AccountCommand.sendConsumption(
      SendConsumptionInformation(transactionId: TransactionID(9), information: .v2(ConsumptionRequestV2())))
    #expect(stage.outcome(command) == "unknownTransaction")
  }

  @Test(arguments: fieldsOutOfRange)
  func fieldOutsideItsRangeIsRefusedByName(information: ConsumptionInformation, field: String) throws {
    #expect(information.invalidField?.field == field)
    var stage = try Self.stage(.asked, "coins")
    let before = stage.state
    let request = SendConsumptionInformation(
      transactionId: stage.records[0].transactionId, information: information)
    let error = #expect(throws: WireError.self) { try stage.play(.sendConsumption(request)) }
    #expect(error?.code == .badBody && error?.message.contains("'\(field)'") == true)
    #expect(stage.state == before)
  }

  private static let fieldsOutOfRange: [(ConsumptionInformation, String)] = {
    func v1(_ change: (inout ConsumptionRequestV1) -> Void) -> ConsumptionInformation {
      var request = ConsumptionRequestV1()
      change(&request)
      return .v1(request)
    }
    return [
      (v1 { $0.customerConsented = false }, "customerConsented"),
      (v1 { $0.consumptionStatus = 4 }, "consumptionStatus"),
      (v1 { $0.platform = 3 }, "platform"), (v1 { $0.deliveryStatus = 6 }, "deliveryStatus"),
      (v1 { $0.appAccountToken = "me" }, "appAccountToken"), (v1 { $0.accountTenure = 8 }, "accountTenure"),
      (v1 { $0.playTime = -1 }, "playTime"), (v1 { $0.lifetimeDollarsRefunded = 8 }, "lifetimeDollarsRefunded"),
      (v1 { $0.lifetimeDollarsPurchased = 8 }, "lifetimeDollarsPurchased"), (v1 { $0.userStatus = 5 }, "userStatus"),
      (v1 { $0.refundPreference = 4 }, "refundPreference"),
      (.v2(ConsumptionRequestV2(customerConsented: false)), "customerConsented"),
      (.v2(ConsumptionRequestV2(deliveryStatus: "LOST")), "deliveryStatus"),
      (.v2(ConsumptionRequestV2(consumptionPercentage: 100_001)), "consumptionPercentage"),
      (.v2(ConsumptionRequestV2(refundPreference: "MAYBE")), "refundPreference"),
    ]
  }()

  @Test func allDocumentedValuesAreTaken() {
    var request = ConsumptionRequestV1(consumptionStatus: 3, refundPreference: 3)
    request.platform = 2
    request.sampleContentProvided = true
    request.deliveryStatus = 5
    request.appAccountToken = ""
    request.accountTenure = 7
    request.playTime = 7
    request.lifetimeDollarsRefunded = 7
    request.lifetimeDollarsPurchased = 7
    request.userStatus = 4
    #expect(ConsumptionInformation.v1(request).invalidField == nil)
    for delivery in ConsumptionRequestV2.deliveryStatuses {
      for preference in ConsumptionRequestV2.refundPreferences {
        let request = ConsumptionRequestV2(
          deliveryStatus: delivery, consumptionPercentage: 100_000, refundPreference: preference)
        #expect(ConsumptionInformation.v2(request).invalidField == nil)
      }
    }
  }

  @Test func aResetForgetsWhatWasAskedFor() throws {
    var stage = try Self.stage(.asked, "coins")
    try stage.play(.reset)
    #expect(stage.state.refundRequests.isEmpty)
  }
}
