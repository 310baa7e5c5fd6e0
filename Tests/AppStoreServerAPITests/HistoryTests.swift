import Foundation
import Shared
import Testing
import Wire

@testable import AppStoreServerAPI

/// Paging through a customer's transactions.
struct HistoryTests {
  /// Follows a history to its end: the transactions in the order in which they came, and the last revision.
  private func follow(
    _ stage: APIStage, _ path: String, from revision: String? = nil, most: Int = 100,
    between: (Int) async throws -> Void = { _ in }
  ) async throws -> (transactions: [JSONObject], revision: String, pages: Int) {
    var (transactions, revision, pages) = ([JSONObject](), revision, 0)
    while pages < most {
      let mark = path.contains("?") ? "&" : "?"
      let page = try await stage.get(path + (revision.map { "\(mark)revision=\($0)" } ?? ""))
      #expect(page.status == 200)
      transactions += try stage.transactions(page)
      revision = try page.json.string("revision")
      pages += 1
      guard try page.json.bool("hasMore") == true else { break }
      try await between(pages)
    }
    return (transactions, try #require(revision), pages)
  }

  @Test(arguments: [0, 1, 20, 40, 57]) func pagesHaveTwentyAndTheLastOneSaysSo(_ count: Int) async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      try await stage.open("bob")
      var ids: [String] = []
      for _ in 0..<count { ids.append("\(try await stage.buy("coins", "alice"))") }
      try await stage.buy("coins", "bob")
      let (transactions, _, pages) = try await follow(stage, "/inApps/v2/history/700000000000000001")
      #expect(transactions.compactMap { $0.string("transactionId") } == ids)
      #expect(pages == max(1, (count + 19) / 20))
    }
  }

  /// Public report BR-73.
  @Test func whatChangesBetweenPagesComesAgainWithTheLastRevision() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      var ids: [TransactionID] = []
      for _ in 0..<57 { ids.append(try await stage.buy("coins", "alice")) }
      let path = "/inApps/v2/history/\(ids[0])"
      let (transactions, revision, _) = try await follow(stage, path) { page in
        guard page == 2 else { return }
        for _ in 0..<3 { ids.append(try await stage.buy("coins", "alice")) }
        for id in ids.prefix(2) { try await stage.refund(id, "alice") }
      }
      try await stage.refund(ids[2], "alice")
      let later = try await follow(stage, path, from: revision)
      #expect(later.transactions.compactMap { $0.string("transactionId") } == ["\(ids[2])"])
      var newest: [String: JSONObject] = [:]
      for transaction in transactions + later.transactions {
        newest[try #require(transaction.string("transactionId"))] = transaction
      }
      #expect(Set(newest.keys) == Set(ids.map(\.description)) && newest.count == 60)
      let refunded = Set(newest.filter { $0.value.keys.contains("revocationDate") }.keys)
      #expect(refunded == Set(ids.prefix(3).map(\.description)))
      // Nothing new: the revision stays good.
      let quiet = try await follow(stage, path, from: later.revision)
      #expect(quiet.transactions.isEmpty && quiet.pages == 1)
    }
  }

  @Test func revisionsOfOthersAreRefused() async throws {
    try await APIStage.with { stage in
      for account in ["alice", "bob"] {
        try await stage.open(account)
        try await stage.buy("coins", account)
      }
      let alice = try await stage.get("/inApps/v2/history/700000000000000001").json.string("revision") ?? ""
      let refunds = try await stage.get("/inApps/v2/refund/lookup/700000000000000001").json.string("revision") ?? ""
      for (path, revision) in [
        ("/inApps/v2/history/700000000000000002", alice), ("/inApps/v2/refund/lookup/700000000000000001", alice),
        ("/inApps/v2/history/700000000000000001", refunds), ("/inApps/v2/history/700000000000000001", "x"),
        ("/inApps/v2/history/700000000000000001", ""), ("/inApps/v2/history/700000000000000001", alice + "A"),
        ("/inApps/v2/history/700000000000000001", String(repeating: "A", count: 32)),
      ] {
        #expect(try await stage.get("\(path)?revision=\(revision)").errorCode == 4_000_005, "\(path) \(revision)")
      }
      let descending = "/inApps/v2/history/700000000000000001?sort=DESCENDING&revision=\(alice)"
      #expect(try await stage.get(descending).errorCode == 4_000_005)
    }
  }

  @Test func filtersAndSort() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let coins = try await stage.buy("coins", "alice")
      let lifetime = try await stage.buy("lifetime", "alice")
      try await stage.advance(days: 1)
      let cloud = try await stage.buy("cloud.weekly", "alice")
      let season = try await stage.buy("season", "alice")
      try await stage.refund(coins, "alice")
      func ids(_ query: String) async throws -> [String] {
        let page = try await stage.get("/inApps/v2/history/\(coins)?\(query)")
        return try stage.transactions(page).compactMap { $0.string("transactionId") }
      }
      let all = [lifetime, cloud, season, coins].map(\.description)
      #expect(try await ids("") == all, "the refunded one was modified last")
      #expect(try await ids("sort=DESCENDING") == all.reversed())
      #expect(try await ids("productType=CONSUMABLE") == ["\(coins)"])
      #expect(try await ids("productType=NON_CONSUMABLE&productType=NON_RENEWABLE") == ["\(lifetime)", "\(season)"])
      #expect(
        try await ids("productId=com.example.app.coins&productId=com.example.app.season")
          == ["\(season)", "\(coins)"])
      #expect(try await ids("subscriptionGroupIdentifier=5E1F00D2") == ["\(cloud)"])
      #expect(try await ids("revoked=True") == ["\(coins)"])
      #expect(try await ids("revoked=false").count == 3)
      #expect(try await ids("inAppOwnershipType=FAMILY_SHARED").isEmpty)
      #expect(try await ids("inAppOwnershipType=PURCHASED").count == 4)
      let nextDay = APIStage.start.milliseconds + APIStage.day
      #expect(try await ids("startDate=\(nextDay)") == ["\(cloud)", "\(season)"])
      #expect(try await ids("endDate=\(nextDay)") == ["\(lifetime)", "\(coins)"])
    }
  }

  @Test(
    arguments: [
      ("sort=UP", 4_000_021), ("startDate=x", 4_000_015), ("startDate=-1", 4_000_015), ("endDate=1.5", 4_000_016),
      ("productType=X", 4_000_022), ("productId=", 4_000_023), ("subscriptionGroupIdentifier=", 4_000_024),
      ("inAppOwnershipType=X", 4_000_026), ("revoked=1", 4_000_030), ("revision=%00", 4_000_005),
    ] as [(String, Int64)]) func wrongFiltersAreTold(_ query: String, _ code: Int64) async throws
  {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let path = "/inApps/v2/history/700000000000000001"
      if query == "revision=%00" {
        #expect(throws: (any Error).self) { _ = try HTTPRequestProbe(path + "?" + query) }
        return
      }
      #expect(try await stage.get("\(path)?\(query)").errorCode == code)
    }
  }

  @Test func theFirstVersionLeavesOutFinishedConsumables() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let finished = try await stage.buy("coins", "alice")
      let open = try await stage.buy("coins", "alice")
      let lifetime = try await stage.buy("lifetime", "alice")
      try await stage.ask(Finish(transactionIds: [finished, lifetime]), of: .account, "alice")
      func ids(_ path: String) async throws -> Set<String> {
        Set(try stage.transactions(try await stage.get(path)).compactMap { $0.string("transactionId") })
      }
      #expect(try await ids("/inApps/v1/history/\(open)") == ["\(open)", "\(lifetime)"])
      #expect(try await ids("/inApps/v2/history/\(open)") == ["\(open)", "\(lifetime)", "\(finished)"])
      try await stage.refund(lifetime, "alice")
      #expect(try await ids("/inApps/v1/history/\(open)?excludeRevoked=true") == ["\(open)"])
      #expect(try await stage.get("/inApps/v1/history/\(open)?excludeRevoked=x").errorCode == 4_000_025)
    }
  }

  @Test func refundsComeInOrderInBothVersions() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      var ids: [TransactionID] = []
      for _ in 0..<30 { ids.append(try await stage.buy("coins", "alice")) }
      let none = try await stage.get("/inApps/v2/refund/lookup/\(ids[0])")
      #expect(try stage.transactions(none).isEmpty)
      #expect(try none.json.bool("hasMore") == false)
      for id in ids.reversed().prefix(25) {
        try await stage.refund(id, "alice")
        try await stage.advance(days: 1)
      }
      let expected = ids.reversed().prefix(25).map(\.description)
      let (transactions, _, pages) = try await follow(stage, "/inApps/v2/refund/lookup/\(ids[0])")
      #expect(transactions.compactMap { $0.string("transactionId") } == expected && pages == 2)
      let first = try await stage.get("/inApps/v1/refund/lookup/\(ids[0])")
      #expect(try stage.transactions(first).compactMap { $0.string("transactionId") } == expected)
      #expect(try await stage.get("/inApps/v1/refund/lookup/7").errorCode == 4_040_005)
      #expect(try await stage.get("/inApps/v1/refund/lookup/x").errorCode == 4_000_008)
    }
  }
}
