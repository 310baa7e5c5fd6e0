import Foundation
import HTTPClient
import HTTPServer
import Testing

@Suite struct HTTPClientTests {
  private func withServer(
    tls: HTTPTLSIdentity? = nil, handler: @escaping HTTPHandler, _ body: (HTTPServer) async throws -> Void
  ) async throws {
    let server = try HTTPServer(HTTPServerConfiguration(tls: tls), report: { _ in }, handler: handler)
    let result: Result<Void, any Error>
    do { result = .success(try await body(server)) } catch { result = .failure(error) }
    await server.stop(within: .zero)
    try result.get()
  }

  private func failure(_ body: () async throws(HTTPClientError) -> HTTPClientResponse) async -> HTTPClientError.Code? {
    do throws(HTTPClientError) {
      _ = try await body()
      return nil
    } catch { return error.code }
  }

  @Test func theBodyArrivesAndTheAnswerComesBack() async throws {
    let handler: HTTPHandler = { request in
      #expect(request.headers["Content-Type"] == "application/json" && request.headers["X-Test"] == "yes")
      return .data(request.body, contentType: "text/plain", status: HTTPStatus(rawValue: 418))
    }
    try await withServer(handler: handler) { server async throws in
      let client = HTTPClient()
      for body in [Data(), Data("{}".utf8), Data(repeating: 7, count: 60_000)] {
        let answer = try await client.post(
          body, to: "http://127.0.0.1:\(server.port)/hook", headers: [(name: "X-Test", value: "yes")])
        #expect(answer.status == 418 && answer.body == body)
      }
    }
  }

  @Test func onlyTrustedCertificatesAreAccepted() async throws {
    try await withServer(tls: TestIdentity.tls, handler: { _ in .text("secure") }) { server async throws in
      var configuration = HTTPClientConfiguration()
      #expect(
        await failure { () async throws(HTTPClientError) in
          try await HTTPClient(configuration).post(Data(), to: "https://localhost:\(server.port)/")
        } == .untrusted)
      configuration.trustedCertificates = Data(TestIdentity.certificate.utf8)
      let client = HTTPClient(configuration)
      #expect(try await client.post(Data(), to: "https://localhost:\(server.port)/").body == Data("secure".utf8))
      // The same address by a name that the certificate does not have.
      #expect(
        await failure { () async throws(HTTPClientError) in
          try await client.post(Data(), to: "https://127.0.0.2:\(server.port)/")
        } != nil)
    }
  }

  @Test(arguments: ["", "nothing", "file:///etc/passwd", "ftp://127.0.0.1/", "http://", "gopher://127.0.0.1:1/"])
  func otherAddressesAreRefused(url: String) async {
    let client = HTTPClient()
    let code = await failure { () async throws(HTTPClientError) in try await client.post(Data(), to: url) }
    // A word alone is a host's name to libcurl.
    #expect(code == .badAddress || (url == "nothing" && code != nil))
  }

  @Test func headersCannotSmuggleLines() async {
    let client = HTTPClient()
    let code = await failure { () async throws(HTTPClientError) in
      try await client.post(Data(), to: "http://127.0.0.1:1/", headers: [(name: "X", value: "a\r\nY: b")])
    }
    #expect(code == .other)
  }

  @Test func nobodyThereIsNoConnection() async throws {
    var port = 0
    try await withServer(handler: { _ in .text("") }) { port = $0.port }
    let url = "http://127.0.0.1:\(port)/"
    let client = HTTPClient()
    let code = await failure { () async throws(HTTPClientError) in try await client.post(Data(), to: url) }
    #expect(code == .noConnection)
  }

  @Test func aServerThatNeverAnswersTimesOut() async throws {
    let (never, source) = AsyncStream.makeStream(of: Void.self)
    let handler: HTTPHandler = { _ in
      for await _ in never {}
      return .text("")
    }
    try await withServer(handler: handler) { server async throws in
      var configuration = HTTPClientConfiguration()
      configuration.timeout = .milliseconds(100)
      let client = HTTPClient(configuration)
      let url = "http://127.0.0.1:\(server.port)/"
      let code = await failure { () async throws(HTTPClientError) in try await client.post(Data(), to: url) }
      #expect(code == .timedOut)
      source.finish()
    }
  }

  @Test func anAnswerThatIsTooLargeIsAnError() async throws {
    try await withServer(handler: { _ in .text(String(repeating: "x", count: 70_000)) }) { server async throws in
      let client = HTTPClient()
      let url = "http://127.0.0.1:\(server.port)/"
      #expect(
        await failure { () async throws(HTTPClientError) in try await client.post(Data(), to: url) }
          == .responseTooLarge)
    }
  }

  @Test func aCancelledTaskGivesItsRequestUp() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (never, source) = AsyncStream.makeStream(of: Void.self)
    let handler: HTTPHandler = { _ in
      arrived.yield()
      for await _ in never {}
      return .text("")
    }
    try await withServer(handler: handler) { server async throws in
      let client = HTTPClient()
      let url = "http://127.0.0.1:\(server.port)/"
      let task = Task {
        await failure { () async throws(HTTPClientError) in try await client.post(Data(), to: url) }
      }
      var seen = arrivals.makeAsyncIterator()
      await seen.next()
      task.cancel()
      #expect(await task.value == .cancelled)
      source.finish()
    }
  }

  @Test func manyRequestsShareTheBoundedNumberOfConnections() async throws {
    try await withServer(handler: { .data($0.body, contentType: "text/plain") }) { server async throws in
      var configuration = HTTPClientConfiguration()
      configuration.concurrency = 16
      let client = HTTPClient(configuration)
      let url = "http://127.0.0.1:\(server.port)/"
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for index in 0..<500 {
          group.addTask { String(decoding: try await client.post(Data("\(index)".utf8), to: url).body, as: UTF8.self) }
        }
        var answers: Set<String> = []
        for try await answer in group { answers.insert(answer) }
        return answers
      }
      #expect(answers == Set((0..<500).map(String.init)))
      #expect(server.counters.acceptedConnections <= 16)
    }
  }
}
