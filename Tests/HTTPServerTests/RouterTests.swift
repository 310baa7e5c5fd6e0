import Foundation
import HTTPServer
import Testing

@Suite struct RouterTests {
  private let router: HTTPRouter

  init() {
    var router = HTTPRouter()
    router.on(.get, "/") { _ in .text("root") }
    router.on(.get, "/inApps/v1/history/{id}") { .text("history of \($0.parameters["id"] ?? "")") }
    router.on(.get, "/inApps/v1/{kind}/test/{token}") {
      .text("\($0.parameters["kind"] ?? "") \($0.parameters["token"] ?? "") \($0.parameters["other"] ?? "none")")
    }
    router.on(.post, "/inApps/v1/notifications/test") { _ in .text("test") }
    router.on(.put, "/a/{id}") { _ in .text("put") }
    router.on(.get, "/a/{name}") { .text("get \($0.parameters["name"] ?? "")") }
    router.on(.get, "/a/b") { _ in .text("literal") }
    self.router = router
  }

  private func answer(_ method: HTTPMethod, _ target: String) async throws -> (Int, String, HTTPHeaders) {
    let response = try await router.respond(to: try HTTPRequest(method, target))
    guard case .data(let data) = response.body else { return (0, "", HTTPHeaders()) }
    return (response.status.rawValue, String(decoding: data, as: UTF8.self), response.headers)
  }

  @Test(arguments: [
    ("/", "root"), ("/inApps/v1/history/2000", "history of 2000"), ("/inApps/v1/history/a%2Fb?x=/", "history of a/b"),
    ("/inApps/v1/notifications/test/t1", "notifications t1 none"), ("/a/b", "literal"), ("/a/c", "get c"),
    // A literal part that leads nowhere gives way to a named one.
    ("/inApps/v1/history/test/t2", "history t2 none"),
  ])
  func requestsReachTheirHandlers(target: String, body: String) async throws {
    let (status, text, _) = try await answer(.get, target)
    #expect(status == 200 && text == body)
  }

  @Test(arguments: ["/x", "/inApps", "/inApps/v1/history", "/inApps/v1/history/", "/inApps/v1/history/1/", "//a/c"])
  func otherPathsAreNotFound(target: String) async throws {
    #expect(try await answer(.get, target).0 == 404)
  }

  @Test func otherMethodsAreToldWhatIsAllowed() async throws {
    let (status, _, headers) = try await answer(.delete, "/a/7")
    #expect(status == 405 && headers["Allow"] == "GET, HEAD, OPTIONS, PUT")
    #expect(try await answer(.post, "/a/b").2["allow"] == "GET, HEAD, OPTIONS")
    #expect(try await answer(.put, "/a/7").1 == "put")
    let options = try await answer(.options, "/inApps/v1/notifications/test")
    #expect(options.0 == 204 && options.2["Allow"] == "OPTIONS, POST")
  }

  @Test func headIsAnsweredByGet() async throws {
    #expect(try await answer(.head, "/a/7").0 == 200)
    #expect(try await answer(.head, "/inApps/v1/notifications/test").0 == 405)
  }
}
