import Foundation
import HTTPServer
import ServerNode
import Shared
import Testing
import Wire

@testable import AppStoreServerAPI

/// Endpoints about one transaction.
struct TransactionTests {
  private static let user = UUID()

  @Test func aTransactionIsFoundByItsIdAndSigned() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("lifetime", "alice", token: Self.user)
      let response = try await stage.get("/inApps/v1/transactions/\(id)")
      #expect(response.status == 200)
      #expect(response.headers["Content-Type"] == "application/json")
      let transaction = try stage.payload(try #require(try response.json.string("signedTransactionInfo")))
      #expect(transaction.string("transactionId") == "\(id)")
      #expect(transaction.string("bundleId") == "com.example.app")
      #expect(transaction.string("environment") == "Sandbox")
      #expect(transaction.string("appAccountToken") == Self.user.uuidString.lowercased())
      #expect(!transaction.keys.contains("deviceVerification"), "servers' copies are bound to no device")
      #expect(try await stage.get("/inApps/v1/transactions/\(id)", base: "/sandbox").status == 200)
    }
  }

  @Test func aChangeIsSeenByTheNextLookUp() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("lifetime", "alice")
      let first = try await stage.get("/inApps/v1/transactions/\(id)")
      let again = try await stage.get("/inApps/v1/transactions/\(id)")
      #expect(first.body == again.body, "it is signed once")
      try await stage.refund(id, "alice")
      let refunded = try await stage.get("/inApps/v1/transactions/\(id)")
      let jws = try #require(try refunded.json.string("signedTransactionInfo"))
      #expect(try stage.payload(jws).integer("revocationDate") == APIStage.start.milliseconds)
    }
  }

  @Test func lookUpsNeverGoBackWhileRefundsComeAndGo() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("lifetime", "alice")
      for round in 0..<50 {
        async let other = stage.get("/inApps/v1/transactions/\(id)")
        if round.isMultiple(of: 2) {
          try await stage.refund(id, "alice")
        } else {
          try await stage.ask(ReverseRefund(transactionId: id), of: .account, "alice")
        }
        // Whatever was read meanwhile, what is acknowledged is what comes now.
        let jws = try #require(
          try await stage.get("/inApps/v1/transactions/\(id)").json.string("signedTransactionInfo"))
        #expect(try stage.payload(jws).keys.contains("revocationDate") == round.isMultiple(of: 2))
        _ = try await other
      }
    }
  }

  @Test func idsThatAreNoneAreTold() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("coins", "alice")
      for text in ["x", "-1", "12345678901234567890", "1%2F2", "\(id)x"] {
        #expect(try await stage.get("/inApps/v1/transactions/\(text)").errorCode == 4_000_006, "\(text)")
      }
      for number in ["0", "1", "2000000000000001", "2000000001000002", "2000000099000001", "99999999999999999"] {
        let response = try await stage.get("/inApps/v1/transactions/\(number)")
        #expect(response.errorCode == 4_040_010 && response.status == 404, "\(number)")
      }
      #expect(try await stage.get("/inApps/v1/transactions/700000000000000001").errorCode == 4_000_048)
    }
  }

  @Test func theOtherEnvironmentDoesNotHaveIt() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("coins", "alice")
      for path in [
        "/inApps/v1/transactions/\(id)", "/inApps/v1/history/\(id)", "/inApps/v2/history/\(id)",
        "/inApps/v1/subscriptions/\(id)", "/inApps/v2/refund/lookup/\(id)",
        "/inApps/v1/transactions/appTransactions/\(id)",
      ] {
        #expect(try await stage.get(path, base: "/main/production").errorCode == 4_040_010, "\(path)")
        #expect(try await stage.get(path, base: "/main/sandbox").status == 200, "\(path)")
      }
    }
    try await APIStage.with(environment: "Production") { stage in
      try await stage.open("alice")
      let id = try await stage.buy("coins", "alice")
      #expect(try await stage.get("/inApps/v1/transactions/\(id)").errorCode == 4_040_010)
      #expect(try await stage.get("/inApps/v1/transactions/\(id)", base: "/main/production").status == 200)
    }
  }

  @Test func theAppTransactionIsSignedForEachCustomer() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("coins", "alice")
      let own = try await stage.get("/inApps/v1/transactions/appTransactions/\(id)")
      let app = try stage.payload(try #require(try own.json.string("signedAppTransactionInfo")))
      #expect(app.string("receiptType") == "Sandbox")
      #expect(app.string("appTransactionId") == "700000000000000001")
      #expect(try await stage.get("/inApps/v1/transactions/appTransactions/700000000000000001").status == 200)
      #expect(try await stage.get("/inApps/v1/transactions/appTransactions/700000000000000002").errorCode == 4_040_010)
    }
  }

  @Test func finishingIsDoneOnceAndAgain() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("coins", "alice")
      for _ in 1...2 {
        let response = try await stage.call(.post, "/inApps/v1/transactions/\(id)/finish")
        #expect(response.status == 200 && response.body.isEmpty)
      }
      let page = try await stage.server.records(of: stage.address(.account, "alice"), matching: .init(limit: 10))
      #expect(try page.records.map { try $0.record().isFinished } == [true])
      #expect(
        try await stage.call(.post, "/inApps/v1/transactions/700000000000000001/finish").errorCode == 4_000_048)
      #expect(try await stage.call(.post, "/inApps/v1/transactions/9/finish").errorCode == 4_040_010)
    }
  }

  @Test func tokensAreSetOnOriginalTransactionsOfTheOwn() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("cloud.weekly", "alice")
      try await stage.advance(days: 8)
      func set(_ id: TransactionID, _ body: String) async throws -> APIResponse {
        try await stage.call(.put, "/inApps/v1/transactions/\(id)/appAccountToken", body: body)
      }
      #expect(try await set(id, #"{"appAccountToken":"\#(Self.user)"}"#).status == 200)
      let statuses = try await stage.get("/inApps/v1/subscriptions/\(id)").json
      let last = try #require(try statuses.objects("data").first?.objects("lastTransactions").first)
      let renewal = try stage.payload(try #require(last.string("signedTransactionInfo")))
      #expect(renewal.string("transactionId") != "\(id)")
      #expect(renewal.string("appAccountToken") == Self.user.uuidString.lowercased())
      for body in [#"{"appAccountToken":"x"}"#, #"{"appAccountToken":""}"#, #"{"appAccountToken":null}"#, "{}"] {
        #expect(try await set(id, body).errorCode == 4_000_183, "\(body)")
      }
      let newest = try #require(renewal.string("transactionId").flatMap { TransactionID($0) })
      #expect(try await set(newest, #"{"appAccountToken":"\#(Self.user)"}"#).errorCode == 4_000_187)
    }
  }

  @Test func ordersAreFoundInProductionAlone() async throws {
    for environment in ["Production", "Sandbox"] {
      try await APIStage.with(environment: environment) { stage in
        try await stage.open("alice")
        let order = try #require(OrderID.of(try await stage.buy("coins", "alice")))
        let found = try await stage.get("/inApps/v1/lookup/\(order)", base: "/main/production").json
        #expect(found.integer("status") == (environment == "Production" ? 0 : 1))
        #expect(try found.strings("signedTransactions").count == (environment == "Production" ? 1 : 0))
        #expect(try await stage.get("/inApps/v1/lookup/\(order)").json.integer("status") == 1)
        #expect(try await stage.get("/inApps/v1/lookup/M0000000001").json.integer("status") == 1)
        #expect(try await stage.get("/inApps/v1/lookup/what").errorCode == 4_000_000)
      }
    }
  }
}
