import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Changes between plans of a group, as reported from the field.
@Suite struct PlanChangeTests {
  @Test func br36UpgradeIsChargedAtOnceAndTheTrialWaitsForALapse() throws {
    var stage = try AccountStage()
    try stage.buy("basic.yearly")
    try stage.advance(days: 3 * 365 - 10)
    #expect(!stage.state.isEligibleForIntroductoryOffer(inGroup: "G1"))
    try stage.buy("pro.monthly")
    let upgraded = try #require(stage.records.last)
    #expect(upgraded.offer == nil && upgraded.price == 9_990 && upgraded.transactionReason == .purchase)
    #expect(stage.records.dropLast().last?.isUpgraded == true)
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
    try stage.advance(days: 40)
    try stage.buy("pro.yearly")
    #expect(stage.records.last?.offer?.discountType == "FREE_TRIAL")
    #expect(stage.records.last?.price == 0)
    #expect(stage.records.last?.expiresDate == stage.now.advanced(by: 7 * 86_400_000))
  }

  @Test func br37EligibilityLooksAtWhatIsActiveAndAtWhatWasEverUsed() throws {
    func applies(_ arrange: (inout AccountStage) throws -> Void) throws -> Bool {
      var stage = try AccountStage()
      try arrange(&stage)
      try stage.buy("pro.yearly")
      return stage.records.last?.offer?.type == AppliedOffer.introductory
    }
    func cancel(_ product: String, _ stage: inout AccountStage) throws {
      try stage.play(.setAutoRenew(SetAutoRenew(productId: product, on: false)))
      try stage.advance(days: 400)
    }
    #expect(try applies { _ in })
    #expect(try !applies { try $0.buy("basic.yearly") })
    #expect(
      try applies {
        try $0.buy("pro.monthly")
        try cancel("pro.monthly", &$0)
      })
    #expect(
      try !applies {
        try $0.buy("basic.monthly")
        try cancel("basic.monthly", &$0)
      }, "the other plan's offer was the group's")
    #expect(try applies { try $0.buy("news.weekly") }, "another group does not matter")
  }

  @Test func br38EligibilityIsAboutTheCustomerNotThePlan() throws {
    var stage = try AccountStage()
    #expect(stage.state.isEligibleForIntroductoryOffer(inGroup: "G1"))
    try stage.buy("basic.yearly")
    #expect(stage.records[0].offer == nil && stage.records[0].price == 39_990, "eligible, but there is no offer")
    try stage.buy("pro.monthly")
    #expect(stage.records.last?.offer == nil)
  }

  @Test func changeDuringATrial() throws {
    var stage = try AccountStage()
    try stage.buy("pro.yearly")
    try stage.advance(days: 2)
    var down = stage
    try down.buy("basic.monthly")
    #expect(down.entitled == ["pro.yearly"], "the trial runs to its end")
    try down.advance(days: 5)
    #expect(down.entitled == ["basic.monthly"])
    #expect(down.records.last?.offer == nil && down.records.last?.price == 4_990)
    #expect(down.records.last?.transactionReason == .renewal)
    // Revert: the trial's own plan renews at its price.
    try stage.buy("basic.monthly")
    try stage.buy("pro.yearly")
    try stage.advance(days: 5)
    #expect(stage.records.map(\.price) == [0, 99_990])
  }

  @Test func upgradeDuringATrialCostsTheFullPriceAtOnce() throws {
    var stage = try AccountStage()
    try stage.buy("basic.monthly")
    try stage.advance(days: 2)
    try stage.buy("pro.yearly")
    #expect(stage.records.last?.offer == nil)
    #expect(stage.records.last?.price == 99_990)
    #expect(stage.records.map(\.isUpgraded) == [true, false])
    #expect(stage.records.last?.transactionReason == .purchase)
  }

  @Test func br42UpgradedPlanWithALaterEndDoesNotWin() throws {
    var stage = try AccountStage()
    try stage.buy("basic.yearly")
    try stage.advance(days: 20)
    let decision = try stage.buy("pro.monthly")
    #expect(decision.events.map(\.kind) == [.purchased], "one event, and no refund")
    try stage.advance(days: 5)
    try stage.play(.setAutoRenew(SetAutoRenew(productId: "pro.monthly", on: false)))
    #expect(stage.entitled == ["pro.monthly"])
    #expect(stage.records[0].isUpgraded && stage.records[0].revocation == nil)
    #expect(try #require(stage.records[0].expiresDate) > stage.now.advanced(by: 300 * 86_400_000))
    try stage.advance(days: 35)
    #expect(stage.entitled.isEmpty)
    #expect(stage.status == .expired)
  }

  @Test func planChangesWhileTheStoreTriesToCharge() throws {
    var grace = try AccountStage(gracePeriod: GracePeriod(.sixteenDays))
    try grace.buy("basic.yearly")
    try grace.billing(fails: true, of: "basic.yearly")
    try grace.advance(days: 366)
    try grace.buy("basic.monthly")
    #expect(grace.status == .inGracePeriod)
    // The plan that is to come can be charged for, and the switch of the other no longer matters.
    try grace.billing(fails: true)
    try grace.billing(fails: false)
    #expect(grace.entitled == ["basic.monthly"])
    #expect(grace.records.last?.price == 4_990)
  }

  @Test(arguments: [
    ("P1M", "2027-01-29", ["2027-02-28", "2027-03-29", "2027-04-29"]),
    ("P1M", "2027-01-31", ["2027-02-28", "2027-03-31", "2027-04-30"]),
    ("P2M", "2027-12-31", ["2028-02-29", "2028-04-30", "2028-06-30", "2028-08-31"]),
    ("P3M", "2027-11-30", ["2028-02-29", "2028-05-30", "2028-08-30"]),
    ("P6M", "2027-08-31", ["2028-02-29", "2028-08-31", "2029-02-28"]),
    ("P1Y", "2028-02-29", ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]),
    ("P1W", "2027-01-29", ["2027-02-05", "2027-02-12"]),
  ])
  func br45MonthEndsAreClampedAndComeBack(period: String, start: String, ends: [String]) throws {
    let catalog = AccountStage.catalog.replacingOccurrences(
      of: "\"groupNumber\": 2, \"subscriptionGroupID\": \"G1\",\n       \"recurringSubscriptionPeriod\": \"P1Y\"",
      with:
        "\"groupNumber\": 2, \"subscriptionGroupID\": \"G1\",\n       \"recurringSubscriptionPeriod\": \"\(period)\"")
    var stage = try AccountStage(at: AccountStage.date("\(start)T23:30:00Z"), catalog: catalog)
    try stage.buy("basic.yearly")
    let dates = try ends.map { try AccountStage.date("\($0)T23:30:00Z") }
    try stage.advance(to: try #require(dates.last).advanced(by: -1))
    #expect(stage.records.map(\.expiresDate) == dates)
    for (earlier, later) in zip(stage.records, stage.records.dropFirst()) {
      #expect(earlier.expiresDate == later.purchaseDate)
    }
  }
}
