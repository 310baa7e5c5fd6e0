import Foundation
import HTTPClient
import HTTPServer
import ServerNode
import Testing
import Wire

@testable import storefleet

/// What becomes of a try, over real sockets, in Apple's words.
@Suite struct NotificationSenderTests {
  private func outcome(
    _ url: String, timeout: Int64 = 5_000, configuration: HTTPClientConfiguration = HTTPClientConfiguration()
  ) async -> NotificationPost.Outcome {
    let sender = NotificationSender(configuration)
    let post = NotificationPost(url: url, body: Data(#"{"signedPayload":"x"}"#.utf8), timeoutMilliseconds: timeout)
    return await withCheckedContinuation { continuation in
      sender.send(post) { continuation.resume(returning: $0) }
    }
  }

  private func answered(
    timeout: Int64 = 5_000, by handler: @escaping HTTPHandler
  ) async throws -> NotificationPost.Outcome {
    let server = try HTTPServer(HTTPServerConfiguration(), report: { _ in }, handler: handler)
    let outcome = await outcome("http://127.0.0.1:\(server.port)/hook", timeout: timeout)
    await server.stop(within: .zero)
    return outcome
  }

  @Test func receiverGetsJSON() async throws {
    let outcome = try await answered { request in
      #expect(request.method == .post && request.path == "/hook")
      #expect(request.headers["Content-Type"] == "application/json")
      #expect(String(decoding: request.body, as: UTF8.self) == #"{"signedPayload":"x"}"#)
      return HTTPResponse(status: .noContent)
    }
    #expect(outcome == .answered(status: 204))
  }

  @Test(arguments: [302, 404, 500]) func otherStatusesAreSaid(status: Int) async throws {
    #expect(
      try await answered { _ in HTTPResponse(status: HTTPStatus(rawValue: status)) } == .answered(status: status))
  }

  @Test func redirectionToItselfIsCircularAndToElsewhereIsNotFollowed() async throws {
    #expect(
      try await answered { _ in HTTPResponse(status: HTTPStatus(rawValue: 307), headers: ["Location": "/hook"]) }
        == .failed(.circularRedirect))
    let elsewhere = try await answered { request in
      #expect(request.path == "/hook")
      return HTTPResponse(status: HTTPStatus(rawValue: 301), headers: ["Location": "/elsewhere"])
    }
    #expect(elsewhere == .answered(status: 301))
  }

  @Test func silenceIsATimeOut() async throws {
    #expect(
      try await answered(timeout: 50) { _ in
        // Ends when the client has gone.
        try await Task.sleep(for: .seconds(60))
        return HTTPResponse()
      } == .failed(.timedOut))
  }

  @Test func unknownCharsetIsNotSupported() async throws {
    #expect(
      try await answered { _ in .data(Data("x".utf8), contentType: "text/plain; charset=klingon") }
        == .failed(.unsupportedCharset))
    #expect(
      try await answered { _ in .data(Data("x".utf8), contentType: "text/plain; charset=\"UTF-8\"") }
        == .answered(status: 200))
  }

  @Test func nobodyListensIsASocketIssue() async throws {
    let server = try HTTPServer(HTTPServerConfiguration(), report: { _ in }) { _ in HTTPResponse() }
    let port = server.port
    await server.stop(within: .zero)
    #expect(await outcome("http://127.0.0.1:\(port)/") == .failed(.socketIssue))
    #expect(await outcome("http://no-such-host.invalid/") == .failed(.socketIssue))
  }

  @Test func plainHTTPWhereTLSIsExpectedIsATLSIssue() async throws {
    let server = try HTTPServer(HTTPServerConfiguration(), report: { _ in }) { _ in HTTPResponse() }
    #expect(await outcome("https://127.0.0.1:\(server.port)/") == .failed(.tlsIssue))
    await server.stop(within: .zero)
  }

  /// What a server that speaks no proper HTTP says; then it closes.
  @Test(
    arguments: [
      ("", SendAttemptResult.noResponse), ("220 mail.example.com ESMTP\r\n", .invalidResponse),
      ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", .prematureClose),
    ])
  func brokenAnswersAreToldApart(answer: String, expected: SendAttemptResult) async throws {
    let listener = try RawListener(answer: answer)
    #expect(await outcome("http://127.0.0.1:\(listener.port)/") == .failed(expected))
  }

  @Test func tooLongAnAnswerIsInvalid() async throws {
    #expect(
      try await answered { _ in .text(String(repeating: "x", count: 100_000)) } == .failed(.invalidResponse))
  }
}
