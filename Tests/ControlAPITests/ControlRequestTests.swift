import Foundation
import HTTPServer
import ServerNode
import Testing

/// The requests of the wire over HTTP, and the errors that HTTP has for those of the wire.
@Suite struct ControlRequestTests {
  @Test func aPurchaseIsInTheAnswersOfAllQuestions() async throws {
    try await TestControl.run { control in
      try await control.open()
      let bought = try await control.buy("lifetime")
      #expect(bought.status == 200)
      #expect(bought.response.headers["Content-Type"] == "application/json")
      let transactions = try await control.get("/accounts/alice/transactions")
      #expect(transactions.text.contains("com.example.app.lifetime"))
      let journal = try await control.get("/accounts/alice/journal?after=1&limit=10")
      #expect((journal.json["events"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["purchased"])
      #expect(try await control.get("/products").text.contains("com.example.app.yearly"))
      let one = try await control.get("/products?id=com.example.app.coins")
      #expect((one.json["products"] as? [Any])?.count == 1)
      let worlds = try await control.ask(.get, "/control/v1/worlds")
      #expect(worlds.text == #"{"worlds":[{"world":"w"}]}"#)
      for path in ["", "/accounts", "/devices", "/offerKeys", "/accounts/alice/pendingPurchases"] {
        #expect(try await control.get(path).status == 200, "\(path)")
      }
      let user = UUID().uuidString.lowercased()
      #expect(try await control.get("/users/\(user)/entitlements").text == #"{"entitlements":[]}"#)
    }
  }

  @Test func theSameIdempotencyKeyBuysOnce() async throws {
    try await TestControl.run { control in
      try await control.open()
      let id = UUID()
      let first = try await control.buy("coins", id: id)
      #expect(try await control.buy("coins", id: id).text == first.text)
      #expect(try await control.buy("coins", id: UUID()).text != first.text)
      let other = try await control.buy("lifetime", id: id)
      #expect((other.status, other.code) == (422, "keyReused"))
      let wrong = try await control.ask(
        .post, "/control/v1/worlds/w/settle", headers: ["Idempotency-Key": "first"])
      #expect(wrong.status == 400)
    }
  }

  @Test func signedDataIsAMemberOfTheBody() async throws {
    try await TestControl.run { control in
      try await control.open()
      let outcome = try #require(try await control.buy("lifetime").json["outcome"] as? [String: Any])
      let id = try #require(outcome["transactionId"] as? String)
      let signed = try await control.post(
        "/accounts/alice/getSignedCopies",
        #"{"copies": [{"subject": {"kind": "transaction", "transactionId": "\#(id)"}}]}"#)
      let copy = try #require((signed.json["attachments"] as? [String])?.first)
      #expect(copy.split(separator: ".").count == 3)
      let user = UUID().uuidString
      let claimed = try await control.post(
        "/accounts/alice/claim",
        #"{"appAccountToken": "\#(user)", "device": "phone", "attachments": ["\#(copy)"]}"#)
      #expect(claimed.status == 200, "\(claimed.text)")
      #expect(
        try await control.get("/users/\(user.lowercased())/entitlements").text.contains("com.example.app.lifetime"))
    }
  }

  @Test func eachErrorOfTheWireHasItsStatus() async throws {
    try await TestControl.run { control in
      try await control.open()
      let refused = try await control.buy("nothing")
      #expect(refused.status == 409)
      #expect(refused.json["refusal"] as? String == "productUnavailable")
      let malformed = try await control.post("/accounts/alice/purchase", "{")
      #expect((malformed.status, malformed.code) == (400, "badBody"))
      #expect(try await control.post("/accounts/alice/purchase", "{}").status == 400)
      let nobody = try await control.post("/devices/phone/launch", "{}")
      #expect((nobody.status, nobody.code) == (404, "unknownAddress"))
      #expect(try await control.ask(.get, "/control/v1/worlds/none").status == 404)
      #expect(try await control.ask(.get, "/control/v1/worlds/no%20name").code == "unknownAddress")
      let path = try await control.ask(.post, "/control/v1/worlds/w/fly")
      #expect((path.status, path.code) == (404, "unknownName"))
      let form = try await control.ask(
        .post, "/control/v1/worlds/w/settle", "{}", headers: ["Content-Type": "text/plain"])
      #expect((form.status, form.code) == (415, "unsupportedMediaType"))
      #expect(try await control.get("/accounts/alice/journal?limit=ten").status == 400)
      #expect(try await control.post("/settle?timeout=0").status == 400)
      #expect(try await control.ask(.delete, "/control/v1/worlds/w").status == 405)
    }
  }

  @Test func aStoppedNodeSaysWhenToAskAgain() async throws {
    try await TestControl.run { control in
      #expect(try await control.ask(.get, "/readyz", token: nil).status == 200)
      await control.server.stop()
      let later = try await control.get("")
      #expect((later.status, later.code) == (503, "unavailable"))
      #expect(later.response.headers["Retry-After"] == "1")
      #expect(try await control.ask(.get, "/readyz", token: nil).status == 503)
      #expect(try await control.ask(.get, "/healthz", token: nil).status == 200)
    }
  }

  @Test(arguments: [nil, "wrong", "secre", "secrets", ""])
  func whoeverHasNotTheTokenDoesAndSeesNothing(_ token: String?) async throws {
    try await TestControl.run { control in
      for path in ["/control/v1/worlds", "/control/v1/worlds/w", "/control/v1/worlds/w/events", "/metrics"] {
        let reply = try await control.ask(.get, path, token: token)
        #expect((reply.status, reply.code) == (401, "unauthorized"), "\(path)")
        #expect(reply.response.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
      }
      #expect(try await control.ask(.post, "/control/v1/worlds/w/settle", token: token).status == 401)
      for path in ["/healthz", "/readyz", "/openapi.json"] {
        #expect(try await control.ask(.get, path, token: token).status == 200, "\(path)")
      }
    }
  }

  @Test func aServerWithoutATokenIsOpenToProgramsAndNotToWebPages() async throws {
    try await TestControl.run(token: "") { control in
      #expect(try await control.ask(.get, "/control/v1/worlds", token: nil).status == 200)
      let page = try await control.ask(
        .post, "/control/v1/worlds/w/settle", headers: ["Origin": "https://example.com"], token: nil)
      #expect((page.status, page.code) == (403, "forbidden"))
    }
  }

  @Test func metricsAreOpenWhereTheyMayBe() async throws {
    try await TestControl.run(metricsAreOpen: true) { control in
      try await control.open()
      let reply = try await control.ask(.get, "/metrics", token: nil)
      #expect(reply.text == "# HELP worlds Worlds.\n# TYPE worlds gauge\nworlds 1\n")
      #expect(reply.response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    }
  }
}
