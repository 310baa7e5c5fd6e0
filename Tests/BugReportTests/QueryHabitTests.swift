@testable import ClientNode
import Foundation
import Shared
import Testing
import Wire

/// Both positions of the habits of queries, between a store and its phones.
struct QueryHabitTests {
  /// Measured by Kosikowski/swift-storekit on macOS; RevenueCat FB13133387.
  @Test(arguments: [0, 800]) func lateListingComesBehindTheAnnouncement(delay: Int64) throws {
    let town = try Town(habits: "lateListing=\(delay)")
    let isLate = delay > 0
    guard case .success(let bought) = try town.purchase(.lifetime, on: "a") else {
      Issue.record("nothing was bought")
      return
    }
    town.run()
    #expect(town.updates("b").map(\.transactionId) == [bought.record.transactionId])
    for phone in ["a", "b"] { #expect(try town.entitled(phone) == (isLate ? [] : [.lifetime])) }
    #expect(try town.unfinished("a") == (isLate ? [] : try town.history(of: "alice").unfinished.map(\.transactionId)))
    #expect(try town.all("a").count == 1)
    town.run(atMost: delay)
    for phone in ["a", "b"] { #expect(try town.entitled(phone) == [.lifetime]) }
  }

  @Test(arguments: [false, true]) func cancelledQueriesAnswerEmpty(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "cancelledQueriesAnswerEmpty=\(isOn)")
    try town.buy(.weekly, on: "a")
    func cancelled(_ call: DaemonCall) throws -> DaemonAnswer {
      town.calls += 1
      let id = CallID(town.calls)
      town.give("a", .call(id, try #require(town.phones["a"]?.app), call, isCancelled: true))
      town.run(atMost: 5_000) { town.phones["a"]?.answers[id] != nil }
      return try #require(town.phones["a"]?.answers[id]).get()
    }
    let count = isOn ? 0 : 1
    guard case .transactions(let owned) = try cancelled(.transactions(.currentEntitlements)),
      case .statuses(let statuses) = try cancelled(.statuses(group: nil)),
      case .products(let products) = try cancelled(.products([Item.weekly.id]))
    else {
      Issue.record("another kind of answer")
      return
    }
    #expect(owned.count == count)
    #expect(statuses.count == count)
    #expect(products.products.count == count)
    #expect(try town.entitled("a") == [.weekly])
  }

  /// Apple developer forums 766872.
  @Test(arguments: [false, true]) func upgradedStaysEntitledUntilItsExpiry(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "upgradedStaysEntitled=\(isOn)")
    try town.buy(.basic, on: "a")
    try town.buy(.yearly, on: "a")
    #expect(try town.entitled("a") == (isOn ? [.basic, .yearly] : [.yearly]))
    #expect(try town.entitlements("a").filter(\.isUpgraded).count == (isOn ? 1 : 0))
    try town.advance(days: 32)
    #expect(try town.entitled("a") == [.yearly])
  }

  @Test(arguments: [false, true]) func retryStillEntitledListsWhatCannotBeCharged(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "retryStillEntitled=\(isOn)")
    try town.buy(.weekly, on: "a")
    try town.billing(of: "alice", fails: true)
    try town.advance(days: 8)
    #expect(try town.statuses(of: "a").map(\.status) == [.inBillingRetryPeriod])
    #expect(try town.entitled("a") == (isOn ? [.weekly] : []))
    try town.advance(days: 80)
    #expect(try town.entitled("a").isEmpty)
  }

  /// hyodotdev/openiap#42.
  @Test(arguments: [false, true]) func sharedHidesOwnLeavesOneOfEachProduct(isOn: Bool) throws {
    let town = try Town(["o": "owner", "m": "member"], habits: "sharedHidesOwn=\(isOn)")
    try town.family("f", "owner", "member")
    try town.buy(.lifetime, on: "m")
    try town.buy(.lifetime, on: "o")
    let owned = try town.entitlements("m").map(\.inAppOwnershipType)
    #expect(Set(owned) == (isOn ? [.familyShared] : [.familyShared, .purchased]))
    #expect(owned.count == (isOn ? 1 : 2))
    try town.refund(.lifetime, of: "owner")
    #expect(try town.entitlements("m").map(\.inAppOwnershipType) == [.purchased])
  }

  /// RevenueCat/purchases-ios#2288.
  @Test(arguments: [false, true]) func offlineStaysEntitledPastTheEnd(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "offlineStaysEntitled=\(isOn)")
    try town.buy(.weekly, on: "a")
    try town.setAutoRenew(.weekly, of: "alice", false)
    try town.offline("a")
    try town.advance(days: 10)
    #expect(try town.entitled("a") == (isOn ? [.weekly] : []))
    try town.online("a")
    #expect(try town.entitled("a").isEmpty)
  }

  @Test(arguments: [0, 700]) func expiredAtRenewalPassesAndIsAnnounced(duration: Int64) throws {
    let town = try Town(["a": "alice"], habits: "expiredAtRenewal=\(duration)")
    try town.buy(.weekly, on: "a")
    town.forget("a")
    try town.advance(days: 7, rests: false)
    let seen: [SubscriptionStatus] = duration > 0 ? [.expired] : [.subscribed]
    #expect(try town.statuses(of: "a").map(\.status) == seen)
    #expect(try town.statuses(of: "a").map(\.willAutoRenew) == [true])
    #expect(try town.entitled("a") == [.weekly])
    town.run(atMost: duration)
    #expect(try town.statuses(of: "a").map(\.status) == [.subscribed])
    let announced = (town.phones["a"]?.statuses ?? []).filter { $0.transaction.record.transactionReason == .renewal }
    #expect(announced.map(\.info.status) == (duration > 0 ? [.expired, .subscribed] : [.subscribed]))
  }

  /// RevenueCat/purchases-ios#2174.
  @Test(arguments: [false, true]) func subscribersEligibleForIntroUntilTheyUsedOne(isOn: Bool) throws {
    let town = try Town(["a": "alice"], habits: "subscribersEligibleForIntro=\(isOn)")
    try town.buy(.basic, on: "a")
    let group = try #require(try town.statuses(of: "a").first?.subscriptionGroupIdentifier)
    #expect(try town.isEligible(group, on: "a") == isOn)
    let other = try Town(["a": "alice"], habits: "subscribersEligibleForIntro=\(isOn)")
    try other.buy(.yearly, on: "a")
    #expect(try !other.isEligible(group, on: "a"))
  }
}
