import ClientNode
import Shared
import Testing
import Wire

/// Public reports of something that happened and never reached the app.
struct MissedUpdateTests {
  /// RevenueCat/purchases-ios#2063, #2069; Apple developer forums 746629.
  @Test func br08OwnPurchasesComeFromTheCallAndThoseOfTheAppStoreFromTheListener() throws {
    let town = try Town()
    let own = try town.buy(.lifetime, on: "a")
    #expect(town.updates("a").isEmpty)
    #expect(town.updates("b").map(\.transactionId) == [own.transactionId])
    let outside = try town.buy(.weekly, by: "alice")
    #expect(town.updates("a").map(\.transactionId) == [outside])
    #expect(try town.all("a").count == 2)
  }

  /// stackoverflow.com/questions/73530849.
  @Test func br09LostRenewalIsNoticedAndComesOnce() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.weekly, on: "a")
    for renewal in 1...8 {
      if renewal == 5 { try town.ask(BreakSync(dropUpdates: 1, catchUp: true), of: town.address(.device, "a")) }
      try town.advance(days: 7)
    }
    let all = try town.all("a")
    #expect(all.count == 9)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.expiresDate == $1.purchaseDate })
    #expect(town.updates("a").map(\.transactionId) == all.dropFirst().map(\.transactionId))
  }

  /// russell-archer/StoreHelper#50, #58.
  @Test func br10RenewalsOfTheTimeWhenTheAppWasClosedComeOldestFirst() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.basic, on: "a")
    try town.kill("a")
    town.phones["a"]?.finishes = false
    try town.advance(months: 4)
    try town.launch("a", rests: false)
    let entitlement = try #require(try town.entitlements("a").first)
    #expect(try #require(entitlement.expiresDate) > town.now())
    let unfinished = try town.unfinished("a")
    #expect(unfinished.count == 4 && unfinished.last == entitlement.transactionId)
    town.rest()
    #expect(town.updates("a").map(\.transactionId) == unfinished)
    #expect(unfinished == unfinished.sorted())
  }

  /// hyochan/react-native-iap#1737.
  @Test func br11RenewalsComeInTheForegroundAndAccessHasNoGap() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.weekly, on: "a")
    try town.advance(seconds: 1)
    for renewal in 1...12 {
      try town.advance(days: 7, rests: false)
      #expect(try town.entitled("a") == [.weekly])
      town.run(atMost: 1_000)
      #expect(town.updates("a").count == renewal)
    }
  }

  /// hyochan/react-native-iap#2264, hyochan/expo-iap#198; Apple developer forums 716059.
  @Test func br12LateListenerFindsEverythingUnfinishedAndNothingTwice() throws {
    let town = try Town()
    town.phones["a"]?.finishes = false
    town.phones["b"]?.finishes = false
    for _ in 0..<3 { try town.buy(.coins, on: "a") }
    town.phones["a"]?.listensAtLaunch = 0
    try town.relaunch("a")
    town.run(atMost: 30_000)
    #expect(try town.unfinished("a").count == 3)
    try town.buy(.coins, on: "b")
    #expect(try town.unfinished("a").count == 4)
    let late = town.listen(on: "a")
    town.rest()
    // Apple: the launch replay comes once, and who listens too late has `unfinished`.
    #expect(town.heard(late, on: "a").isEmpty)
    #expect(try town.unfinished("a").count == 4)

    town.phones["a"]?.listensAtLaunch = 1
    try town.relaunch("a")
    let first = try #require(town.phones["a"]?.listeners.first)
    #expect(Set(town.heard(first, on: "a").map(\.transactionId)).count == 4)
    town.stopListening(first, on: "a")
    town.run(atMost: 30_000)
    let next = town.listen(on: "a")
    town.rest()
    #expect(town.heard(first, on: "a").count == 4)
    #expect(town.heard(next, on: "a").isEmpty)
    #expect(try town.unfinished("a").count == 4)
  }

  /// Apple developer forums 751340.
  @Test func br13RefundReachesPhonesThatWereOfflineOrClosed() throws {
    let town = try Town(["a": "alice", "b": "alice", "c": "alice"])
    let bought = try town.buy(.yearly, on: "a")
    town.forget("a", "b", "c")
    try town.offline("b")
    try town.kill("c")
    try town.refund(.yearly, of: "alice", reason: 1)
    try town.advance(hours: 2)
    #expect(town.updates("b").isEmpty)
    try town.online("b")
    try town.launch("c", rests: false)
    for phone in ["a", "b", "c"] {
      #expect(try town.entitled(phone).isEmpty, "\(phone)")
      let all = try town.all(phone)
      #expect(all.map(\.transactionId) == [bought.transactionId], "\(phone)")
      #expect(all.first?.revocation?.reason == 1, "\(phone)")
    }
    town.rest()
    #expect(town.updates("a").count == 1)
    #expect(town.updates("b").count == 1)
    // Seen at Apple: what was refunded while the app was closed shows in queries alone.
    #expect(town.updates("c").isEmpty)
    try town.relaunch("c")
    #expect(town.updates("c").isEmpty)
  }

  /// RevenueCat/storekit2-demo-app#6.
  @Test func br14RefundedProductsAreAbsentFromTheEntitlements() throws {
    let town = try Town(["a": "alice"])
    try town.buy(.lifetime, on: "a")
    try town.buy(.weekly, on: "a")
    try town.refund(.lifetime, of: "alice")
    let entitlements = try town.entitlements("a")
    #expect(entitlements.map(\.productId) == [Item.weekly.id])
    #expect(entitlements.allSatisfy { $0.revocation == nil })
  }

  /// russell-archer/StoreHelper#54.
  @Test func br16AutoRenewShowsInTheStatusAndNotInTheTransactions() throws {
    let town = try Town()
    try town.buy(.basic, on: "a")
    town.forget("a", "b")
    for isOn in [false, true, false] {
      try town.setAutoRenew(.basic, of: "alice", isOn)
      for phone in ["a", "b"] {
        #expect(town.phones[phone]?.statuses.map(\.info.willAutoRenew) == [isOn], "\(phone)")
        #expect(town.updates(phone).isEmpty, "\(phone)")
      }
      town.forget("a", "b")
    }
    try town.advance(months: 1)
    for phone in ["a", "b"] {
      #expect(try town.entitled(phone).isEmpty)
      let status = try #require(try town.statuses(of: phone).first)
      #expect(status.status == .expired && status.expirationIntent == 1)
      #expect(town.updates(phone).isEmpty)
    }
  }

  /// hyochan/react-native-iap#1721, flutter/flutter#162914, j3k0/cordova-plugin-purchase#1623.
  @Test func br17PurchaseMadeOutsideTheAppIsUnfinishedEverywhere() throws {
    let town = try Town()
    town.phones["a"]?.finishes = false
    town.phones["b"]?.finishes = false
    try town.kill("b")
    let id = try #require(try town.buy(.monthly, by: "alice"))
    #expect(town.updates("a").map(\.transactionId) == [id])
    #expect(try town.unfinished("a") == [id])
    try town.launch("b")
    #expect(town.updates("b").map(\.transactionId) == [id])
    try town.finish(id, on: "b")
    town.rest()
    #expect(try town.unfinished("a").isEmpty)
  }
}
