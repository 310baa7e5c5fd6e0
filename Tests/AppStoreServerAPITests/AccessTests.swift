import Foundation
import FoundationNetworking
import HTTPServer
import Shared
import Synchronization
import Testing

@testable import AppStoreServerAPI

/// Who is let in, and how often.
struct AccessTests {
  @Test func whoHasNoGoodTokenGets401AndNoBodyAnywhere() async throws {
    let log = Mutex<[String]>([])
    let options = ServerAPI.Options(log: { line in log.withLock { $0.append(line) } })
    try await APIStage.with(options: options) { stage in
      for endpoint in Endpoint.all {
        for token in ["", "x", try stage.token(bundleId: "com.example.other")] {
          let response = try await stage.call(endpoint.method, endpoint.path, token: token)
          #expect(response.status == 401 && response.body.isEmpty, "\(endpoint.path)")
        }
      }
      #expect(log.withLock { $0.contains { $0.contains("bid 'com.example.other'") } })
    }
  }

  @Test func keysOfAnotherWorldOpenNothing() async throws {
    try await APIStage.with { stage in
      try await APIStage.with(world: "other") { other in
        let token = try other.token()
        let response = try await stage.call(.get, "/inApps/v1/transactions/1", token: token)
        #expect(response.status == 401)
      }
    }
  }

  @Test func pathsWithoutAWorldMeanMain() async throws {
    try await APIStage.with(world: "other") { stage in
      let found = try await stage.get("/inApps/v1/transactions/1", base: "/other/sandbox")
      #expect(found.errorCode == 4_040_010)
      #expect(try await stage.get("/inApps/v1/transactions/1", base: "/sandbox").status == 404)
      #expect(try await stage.get("/inApps/v1/transactions/1", base: "/nobody/sandbox").status == 404)
      #expect(try await stage.get("/inApps/v1/transactions/1", base: "/a%2Fb/sandbox").status == 404)
      #expect(try await stage.get("/inApps/v1/nothing", base: "/other/sandbox").status == 404)
      #expect(try await stage.call(.delete, "/inApps/v1/transactions/1", base: "/other/sandbox").status == 405)
    }
  }

  @Test func anUnreleasedAppIsUnknownInProduction() async throws {
    try await APIStage.with(options: ServerAPI.Options(isUnreleased: true)) { stage in
      let response = try await stage.get("/inApps/v1/transactions/1", base: "/main/production")
      #expect(response.status == 401 && response.body.isEmpty)
      #expect(try await stage.get("/inApps/v1/transactions/1").errorCode == 4_040_010)
    }
  }

  @Test func documentedLimitsAreByTheHour() {
    let limiter = RateLimiter(.documented)
    // One request a second in production, a tenth of it in the sandbox.
    for (base, most) in [(APIBase.production, 3_600), (.sandbox, 360)] {
      for _ in 0..<most { #expect(limiter.refuse(.rarely, "w", base, at: 1_000) == nil) }
      #expect(limiter.refuse(.rarely, "w", base, at: 1_001) == 4_600_000, "\(base)")
      #expect(limiter.refuse(.often, "w", base, at: 1_001) == nil)
      #expect(limiter.refuse(.rarely, "v", base, at: 1_001) == nil)
      #expect(limiter.refuse(.rarely, "w", base, at: 4_600) == nil, "the next hour")
    }
  }

  @Test func theLimitSaysWhenToComeBack() async throws {
    try await APIStage.with(options: ServerAPI.Options(rateLimit: .perHour(1))) { stage in
      #expect(try await stage.get("/inApps/v1/transactions/1").status == 404)
      let refused = try await stage.get("/inApps/v1/transactions/1")
      #expect(refused.status == 429 && refused.errorCode == 4_290_000)
      let again = try #require(refused.headers["Retry-After"].flatMap { Double($0) })
      #expect(again > Date().timeIntervalSince1970 * 1_000)
    }
  }

  @Test func certificatesAreVouchedForWhileThereIsHTTP() async throws {
    try await APIStage.with(http: "http://127.0.0.1:9") { stage in
      // Bytes that are no request are answered, as RFC 6960 wants it.
      let request = try HTTPRequest(.post, "/ocsp/main", body: Data("what".utf8))
      let response = try APIResponse(try await stage.router.respond(to: request))
      #expect(response.status == 200 && response.headers["Content-Type"] == "application/ocsp-response")
      #expect(Array(response.body) == [0x30, 0x03, 0x0A, 0x01, 0x01])
      let other = try HTTPRequest(.post, "/ocsp/nobody", body: Data())
      #expect(try APIResponse(try await stage.router.respond(to: other)).status == 404)
    }
  }

  @Test func theSameWorksOverSockets() async throws {
    try await APIStage.with { stage in
      try await stage.open("alice")
      let id = try await stage.buy("coins", "alice")
      let router = stage.router
      let http = try HTTPServer(HTTPServerConfiguration()) { try await router.respond(to: $0) }
      let token = try stage.token()
      // Twice: what was signed for one is answered to the next.
      for _ in 1...2 {
        var request = URLRequest(
          url: try #require(URL(string: "http://127.0.0.1:\(http.port)/main/sandbox/inApps/v1/transactions/\(id)")))
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        let jws = try #require(try JSONObject(data).string("signedTransactionInfo"))
        #expect(try stage.payload(jws).string("transactionId") == "\(id)")
      }
      await http.stop(within: .seconds(1))
    }
  }
}
