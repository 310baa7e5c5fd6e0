import Foundation
import ServerNode
import Shared
import Testing
import Wire

/// Renewal dates that are moved (Apple: Extending the renewal date for auto-renewable subscriptions).
@Suite struct ExtensionTests {
  private static let day: Int64 = 86_400_000

  @Test func extensionMovesTheEndOfTheRunningPeriodAndTheDayOfTheNext() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    let record = stage.records[0]
    try stage.play(.extend(ExtendSubscription(productId: "pro.monthly", days: 10, reason: 3)))
    let end = try #require(record.expiresDate).advanced(by: 10 * Self.day)
    #expect(stage.records.map(\.expiresDate) == [end])
    #expect(stage.records[0].recordRevision == record.recordRevision + 1)
    #expect(stage.info()?.renewalDate == end)
    try stage.advance(to: end.advanced(by: -1))
    #expect(stage.records.count == 1 && stage.entitled == ["pro.monthly"])
    try stage.advance(to: AccountStage.date("2026-04-11T00:00:00Z"))
    #expect(stage.records.map(\.purchaseDate).dropFirst().first == end)
    #expect(stage.records.last?.expiresDate == (try AccountStage.date("2026-05-11T00:00:00Z")))
  }

  @Test func thirdExtensionWithinAYearIsRefused() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    let extend = AccountCommand.extend(ExtendSubscription(productId: "pro.monthly", days: 1))
    #expect(stage.outcome(extend) == "extended")
    try stage.advance(days: 100)
    #expect(stage.outcome(extend) == "extended")
    #expect(stage.outcome(extend) == "tooManyExtensions")
    try stage.advance(days: 264)
    #expect(stage.outcome(extend) == "tooManyExtensions")
    try stage.advance(days: 1)
    #expect(stage.outcome(extend) == "extended", "365 days after the first")
    #expect(stage.outcome(extend) == "tooManyExtensions")
  }

  @Test(arguments: [(0, 0), (91, 0), (-1, 0), (Int.max, 0), (1, -1), (1, 4)])
  func daysAndReasonsHaveTheirRange(days: Int, reason: Int) throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    let request = ExtendSubscription(productId: "pro.monthly", days: days, reason: reason)
    #expect(stage.outcome(.extend(request)) == "badBody")
  }

  @Test func trialIsNotExtended() throws {
    var stage = try AccountStage()
    try stage.buy("pro.yearly")
    #expect(stage.outcome(.extend(ExtendSubscription(productId: "pro.yearly", days: 7))) == "extensionIneligible")
    try stage.advance(days: 8)
    #expect(stage.outcome(.extend(ExtendSubscription(productId: "pro.yearly", days: 7))) == "extended")
  }

  @Test func subscriptionIsNamedByItsOriginalTransaction() throws {
    var stage = try AccountStage()
    try stage.buy("pro.monthly")
    let id = stage.records[0].transactionId
    #expect(stage.outcome(.extend(ExtendSubscription(originalTransactionId: id, days: 1))) == "extended")
    let unknown = ExtendSubscription(originalTransactionId: TransactionID(1), days: 1)
    #expect(stage.outcome(.extend(unknown)) == "unknownTransaction")
    #expect(stage.outcome(.extend(ExtendSubscription(days: 1))) == "badBody")
  }

  @Test func familyFollowsAndCannotBeExtendedDirectly() throws {
    let store = try StoreHarness(catalog: AccountStage.catalog)
    try store.open("mum", "kid")
    try store.family("f", "mum", "kid")
    _ = try store.ask(Purchase(productId: "pro.monthly"), of: store.account("mum"))
    let kidsId = try #require(try store.history(of: "kid").records.first?.transactionId)
    let error = #expect(throws: WireError.self) {
      try store.ask(ExtendSubscription(originalTransactionId: kidsId, days: 5), of: store.account("kid"))
    }
    #expect(error?.refusal == .notYours)
    _ = try store.ask(ExtendSubscription(productId: "pro.monthly", days: 5), of: store.account("mum"))
    let mums = try store.history(of: "mum").records
    let kids = try store.history(of: "kid").records
    #expect(kids.map(\.transactionId) == [kidsId], "the same transaction, with a later end")
    #expect(kids.map(\.expiresDate) == mums.map(\.expiresDate))
    #expect(kids.map(\.recordRevision) == [2])
    #expect(try store.events(of: "kid").last == "extended")
  }

  @Test func acceleratedDaysAreShortened() throws {
    var stage = try AccountStage(timeRate: .monthlyRenewalEveryHour)
    try stage.buy("pro.monthly")
    let end = try #require(stage.records[0].expiresDate)
    try stage.play(.extend(ExtendSubscription(productId: "pro.monthly", days: 7)))
    #expect(stage.records[0].expiresDate == end.advanced(by: 900_000), "seven days are the rate's week")
  }
}
