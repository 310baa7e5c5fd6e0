import Foundation
import HTTPServer
import Shared
import Testing
import Wire

@testable import AppStoreServerAPI

/// Statuses and extensions.
struct SubscriptionTests {
  private struct Last { var group, id: String, status: Int64 }

  private func statuses(_ stage: APIStage, _ path: String) async throws -> [Last] {
    let response = try await stage.get(path).json
    #expect(response.string("environment") == "Sandbox" && response.string("bundleId") == "com.example.app")
    return try response.objects("data").flatMap { group in
      try group.objects("lastTransactions").map { last in
        let renewal = try stage.payload(try #require(last.string("signedRenewalInfo")))
        let transaction = try stage.payload(try #require(last.string("signedTransactionInfo")))
        let id = try #require(last.string("originalTransactionId"))
        #expect(renewal.string("originalTransactionId") == id && transaction.string("originalTransactionId") == id)
        return Last(
          group: try #require(group.string("subscriptionGroupIdentifier")), id: id,
          status: try #require(last.integer("status")))
      }
    }
  }

  /// Public report BR-76.
  @Test func everyGroupIsThereForEveryId() async throws {
    try await APIStage.with { stage in
      for account in ["alice", "bob"] { try await stage.open(account) }
      let coins = try await stage.buy("coins", "alice")
      let own = try await stage.buy("monthly", "alice")
      let cloud = try await stage.buy("cloud.weekly", "alice")
      try await stage.ask(SetAutoRenew(productId: "com.example.app.monthly", on: false), of: .account, "alice")
      try await stage.advance(days: 40)
      try await stage.ask(CreateFamily(organizer: "bob"), of: .family, "house")
      try await stage.ask(JoinFamily(account: "alice"), of: .family, "house")
      try await stage.buy("yearly", "bob")
      // A family gets its share after the purchase was answered.
      try await stage.ask(Settle(), of: .world, stage.world)
      for id in [coins, own, cloud] {
        let all = try await statuses(stage, "/inApps/v1/subscriptions/\(id)")
        #expect(all.count { $0.group == "5E1F00D2" } == 1)
        let premium = all.filter { $0.group == "5E1F00D1" }
        #expect(premium.count == 2, "the own one that expired, and the family's")
        #expect(Set(premium.map(\.status)) == [1, 2])
        let active = try await statuses(stage, "/inApps/v1/subscriptions/\(id)?status=1")
        #expect(active.count { $0.group == "5E1F00D1" } == 1 && active.allSatisfy { $0.status == 1 })
        #expect(try await statuses(stage, "/inApps/v1/subscriptions/\(id)?status=1&status=2").count == 3)
      }
      for query in ["status=0", "status=6", "status=x", "status="] {
        #expect(try await stage.get("/inApps/v1/subscriptions/\(coins)?\(query)").errorCode == 4_000_031, "\(query)")
      }
    }
  }

  private static let request = #"{"extendByDays":10,"extendReasonCode":1,"requestIdentifier":"r1"}"#

  @Test func anExtensionMovesTheRenewalOnceForEachIdentifier() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("cloud.weekly", "alice")
      func extend(_ identifier: String) async throws -> APIResponse {
        try await stage.call(
          .put, "/inApps/v1/subscriptions/extend/\(id)",
          body: Self.request.replacing("r1", with: identifier))
      }
      let first = try await extend("r1").json
      #expect(first.string("originalTransactionId") == "\(id)" && first.bool("success") == true)
      #expect(first.string("webOrderLineItemId") != nil)
      #expect(first.integer("effectiveDate") == APIStage.start.milliseconds + 17 * APIStage.day)
      #expect(try await extend("r1").json.integer("effectiveDate") == first.integer("effectiveDate"))
      #expect(
        try await extend("r2").json.integer("effectiveDate") == APIStage.start.milliseconds + 27 * APIStage.day)
      #expect(try await extend("r3").errorCode == 4_030_005)
    }
  }

  /// Public report BR-72.
  @Test(
    arguments: [
      ("extendByDays", "91", 4_000_009), ("extendByDays", "0", 4_000_009), ("extendByDays", "-1", 4_000_009),
      ("extendByDays", "1.5", 4_000_009), ("extendByDays", "null", 4_000_009), ("extendByDays", #""7""#, 4_000_009),
      ("extendByDays", nil, 4_000_009), ("extendReasonCode", nil, 4_000_010), ("extendReasonCode", "4", 4_000_010),
      ("extendReasonCode", "null", 4_000_010), ("extendReasonCode", "true", 4_000_010),
      ("requestIdentifier", nil, 4_000_011), ("requestIdentifier", #""""#, 4_000_011),
      ("requestIdentifier", "1", 4_000_011),
    ] as [(String, String?, Int64)])
  func fieldsOfExtensionsAreCheckedOneByOne(_ field: String, _ value: String?, _ code: Int64) async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("cloud.weekly", "alice")
      var fields = ["extendByDays": "10", "extendReasonCode": "1", "requestIdentifier": #""r""#]
      fields[field] = value
      let body = "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
      let single = try await stage.call(.put, "/inApps/v1/subscriptions/extend/\(id)", body: body)
      #expect(single.errorCode == code && single.status == 400)
      fields["productId"] = #""com.example.app.cloud.weekly""#
      let mass = "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
      let all = try await stage.call(.post, "/inApps/v1/subscriptions/extend/mass", body: mass)
      #expect(all.errorCode == code && all.status == 400)
      let renewals = try await stage.ask(GetSubscriptions(), of: .account, "alice").subscriptions
      #expect(renewals.first?.renewalInfo.renewalDate.milliseconds == APIStage.start.milliseconds + 7 * APIStage.day)
    }
  }

  @Test func whatCannotBeExtendedIsTold() async throws {
    try await APIStage.with { stage in
      for account in ["alice", "bob"] { try await stage.open(account) }
      func code(_ id: some CustomStringConvertible) async throws -> Int64? {
        try await stage.call(.put, "/inApps/v1/subscriptions/extend/\(id)", body: Self.request).errorCode
      }
      let trial = try await stage.buy("monthly", "alice")
      #expect(try await code(trial) == 4_030_004, "a free trial")
      #expect(try await code(try await stage.buy("coins", "alice")) == 4_030_004)
      #expect(try await code("7") == 4_040_005)
      #expect(try await code("x") == 4_000_008)
      try await stage.ask(CreateFamily(organizer: "bob"), of: .family, "house")
      try await stage.ask(JoinFamily(account: "alice"), of: .family, "house")
      try await stage.buy("yearly", "bob")
      // A family gets its share after the purchase was answered.
      try await stage.ask(Settle(), of: .world, stage.world)
      let subscriptions = try await stage.ask(GetSubscriptions(), of: .account, "alice").subscriptions
      let shared = try #require(subscriptions.first { $0.renewalInfo.inAppOwnershipType == .familyShared })
      #expect(try await code(shared.renewalInfo.originalTransactionId) == 4_030_007)
    }
  }

  @Test(arguments: [false, true]) func allSubscribersAreExtendedAndCounted(evicts: Bool) async throws {
    try await APIStage.with(evictsAfterEveryTurn: evicts) { stage in
      let accounts = ["alice", "bob", "carol", "dave", "erin"]
      for account in accounts { try await stage.open(account) }
      // Bob's storefront is not meant, Carol's limit is reached, Dave has another product, Erin has cancelled and lapsed.
      try await stage.ask(SetStorefront(storefront: "DEU"), of: .account, "bob")
      for account in ["alice", "bob", "carol", "erin"] { try await stage.buy("cloud.weekly", account) }
      try await stage.buy("season", "dave")
      try await stage.ask(SetAutoRenew(productId: "com.example.app.cloud.weekly", on: false), of: .account, "erin")
      for _ in 1...2 {
        try await stage.ask(
          ExtendSubscription(productId: "com.example.app.cloud.weekly", days: 1), of: .account, "carol")
      }
      try await stage.advance(days: 8)
      let product = "com.example.app.cloud.weekly"
      let body = """
        {"extendByDays":10,"extendReasonCode":3,"requestIdentifier":"outage","productId":"\(product)",
        "storefrontCountryCodes":["USA"]}
        """
      for _ in 1...2 {
        let response = try await stage.call(.post, "/inApps/v1/subscriptions/extend/mass", body: body)
        #expect(try response.json.string("requestIdentifier") == "outage")
      }
      let path = "/inApps/v1/subscriptions/extend/mass/\(product)/outage"
      // Effects of the request are applied before the world has settled.
      try await stage.ask(Settle(), of: .world, stage.world)
      let status = try await stage.get(path).json
      #expect(status.bool("complete") == true)
      #expect(status.integer("succeededCount") == 1 && status.integer("failedCount") == 1)
      #expect(status.integer("completeDate") == APIStage.start.milliseconds + 8 * APIStage.day)
      let alice = try await stage.ask(GetSubscriptions(), of: .account, "alice").subscriptions
      #expect(alice.first?.renewalInfo.renewalDate.milliseconds == APIStage.start.milliseconds + 24 * APIStage.day)
      #expect(try await stage.get(path + "x").errorCode == 4_040_009)
      #expect(
        try await stage.get("/inApps/v1/subscriptions/extend/mass/com.example.app.yearly/outage").errorCode == 4_040_009
      )
      let other = body.replacing("\"extendByDays\":10", with: "\"extendByDays\":11")
      #expect(
        try await stage.call(.post, "/inApps/v1/subscriptions/extend/mass", body: other).errorCode == 4_000_011)
    }
  }

  @Test(
    arguments: [
      (#""productId":"com.example.app.coins""#, 4_000_023), (#""productId":"nothing""#, 4_000_023),
      (#""productId":7"#, 4_000_023),
      (#""productId":"com.example.app.yearly","storefrontCountryCodes":[]"#, 4_000_027),
      (#""productId":"com.example.app.yearly","storefrontCountryCodes":["usa"]"#, 4_000_028),
      (#""productId":"com.example.app.yearly","storefrontCountryCodes":["USA","XXX"]"#, 4_000_028),
      (#""productId":"com.example.app.yearly","storefrontCountryCodes":"USA""#, 4_000_028),
    ] as [(String, Int64)]) func massExtensionsAreChecked(_ fields: String, _ code: Int64) async throws
  {
    try await APIStage.with { stage in
      let body = #"{"extendByDays":10,"extendReasonCode":3,"requestIdentifier":"r",\#(fields)}"#
      let response = try await stage.call(.post, "/inApps/v1/subscriptions/extend/mass", body: body)
      #expect(response.errorCode == code)
    }
  }
}
