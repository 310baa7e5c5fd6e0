import ClientNode
import Shared
import Testing
import Wire

/// Public reports about offers, plan changes and time, as phones see them.
struct SubscriptionReportTests {
  private static let premium = "5E1F00D1"

  /// RevenueCat/purchases-ios#2174, qonversion/qonversion-ios-sdk#594.
  @Test func br37EligibilityIsTheSameOnEveryPhoneAndOffline() throws {
    let town = try Town()
    func eligible(_ expected: Bool, _ when: Comment) throws {
      for phone in ["a", "b"] {
        #expect(try town.isEligible(Self.premium, on: phone) == expected, when)
        try town.offline(phone)
        #expect(try town.isEligible(Self.premium, on: phone) == expected, when)
        try town.online(phone)
      }
    }
    try eligible(true, "never subscribed")
    try town.buy(.basic, on: "a")
    try eligible(false, "active without an offer")
    try town.setAutoRenew(.basic, of: "alice", false)
    try town.advance(months: 1)
    try eligible(true, "lapsed without an offer")
    try town.buy(.weekly, on: "a")
    try eligible(true, "another group")
    try town.buy(.yearly, on: "a")
    try eligible(false, "in its trial")
    try town.setAutoRenew(.yearly, of: "alice", false)
    try town.advance(days: 8)
    try eligible(false, "lapsed after a trial")
  }

  /// RevenueCat/purchases-ios#1859.
  @Test func br38EligibleCustomerPaysInFullWhereThereIsNoOffer() throws {
    let town = try Town(["a": "alice"])
    #expect(try town.isEligible(Self.premium, on: "a"))
    let plain = try town.buy(.basic, on: "a")
    #expect(plain.offer == nil && plain.price == 1_990)
    let upgrade = try town.buy(.monthly, on: "a")
    #expect(upgrade.offer == nil && upgrade.price == 4_990)
  }

  /// bizz84/SwiftyStoreKit#667, tikhop/TPInAppReceipt#49, RevenueCat/purchases-ios#1738.
  @Test func br42UpgradedPlanLeavesTheOtherPhonesToo() throws {
    let town = try Town()
    try town.buy(.basic, on: "a")
    try town.advance(days: 20)
    town.forget("a", "b")
    let upgrade = try town.buy(.yearly, on: "a")
    for phone in ["a", "b"] {
      #expect(try town.entitled(phone) == [.yearly])
      #expect(try town.all(phone).first?.isUpgraded == true)
    }
    #expect(town.updates("a").isEmpty)
    #expect(town.updates("b").map(\.transactionId) == [upgrade.transactionId])
    try town.setAutoRenew(.yearly, of: "alice", false)
    try town.advance(months: 13)
    for phone in ["a", "b"] { #expect(try town.entitled(phone).isEmpty) }
  }

  /// gaixianggeng/mimi-remote#339; Apple developer forums 697369.
  @Test func br43GraceEntitlesOnlineAndOfflineUntilItEnds() throws {
    let town = try Town(gracePeriod: GracePeriod(.sixteenDays))
    try town.buy(.basic, on: "a")
    try town.billing(of: "alice", fails: true)
    try town.advance(months: 1)
    try town.offline("b")
    try town.advance(days: 10)
    for phone in ["a", "b"] {
      #expect(try town.entitled(phone) == [.basic], "\(phone)")
      #expect(try #require(town.entitlements(phone).first?.expiresDate) < town.now())
    }
    try town.advance(days: 7)
    for phone in ["a", "b"] { #expect(try town.entitled(phone).isEmpty, "\(phone)") }
    try town.online("b")
    #expect(try town.statuses(of: "b").map(\.status) == [.inBillingRetryPeriod])
    try town.billing(of: "alice", fails: false)
    for phone in ["a", "b"] {
      #expect(try town.entitled(phone) == [.basic], "\(phone)")
      #expect(town.updates(phone).last?.transactionReason == .renewal, "\(phone)")
    }
  }

  /// RevenueCat/purchases-ios#3833, #5082, #5382, #6084.
  @Test func br46EveryRenewalIsOneEmissionOnEveryPhoneAndNoneWhileTheClockStands() throws {
    let town = try Town(["a": "alice", "b": "alice", "c": "alice"])
    try town.buy(.weekly, on: "a")
    town.forget("a", "b", "c")
    for renewal in 1...50 {
      try town.advance(days: 7)
      town.run(atMost: 10_000)
      for phone in ["a", "b", "c"] { #expect(town.updates(phone).count == renewal) }
    }
    #expect(try town.all("c").count == 51)
  }

  /// RevenueCat/purchases-ios#4020.
  @Test func br47FastRenewalsAreAllFinishedInTheEnd() throws {
    let names = (0..<8).map { "p\($0)" }
    let town = try Town([:])
    for name in names {
      try town.open(name)
      try town.add(name, of: name)
      try town.buy(.weekly, on: name)
    }
    for _ in 0..<30 { try town.advance(days: 7, rests: false) }
    town.run(atMost: 2_000)
    for name in names {
      #expect(try town.unfinished(name).isEmpty)
      #expect(try town.history(of: name).unfinished.isEmpty)
      #expect(town.updates(name).count == 30)
    }
  }

  /// RevenueCat/react-native-purchases#966.
  @Test func br48PlanThatReplacesARetryIsTheOnlyOneOnThePhone() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.basic, on: "a")
    try town.billing(of: "alice", fails: true)
    try town.advance(months: 1)
    #expect(try town.entitled("a").isEmpty)
    try town.buy(.monthly, on: "a")
    try town.billing(of: "alice", fails: false)
    try town.advance(days: 60)
    #expect(try town.entitled("a") == [.monthly])
    #expect(try town.statuses(of: "a").count == 1)
  }
}
