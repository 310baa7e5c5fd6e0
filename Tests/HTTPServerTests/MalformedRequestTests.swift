import Foundation
import HTTPServer
import Testing

/// Whatever bytes come, they get an answer or an end, and the server goes on.
@Suite struct MalformedRequestTests {
  /// Sends the text, and then asks on another connection whether the server still serves.
  private func reaction(
    to bytes: [UInt8], limits: HTTPServerLimits = HTTPServerLimits(), endsSending: Bool = true
  ) async throws -> String {
    try await withServer(limits: limits) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send(bytes)
      if endsSending { client.finishSending() }
      let text = await client.readToEnd()
      #expect(try await status(answer(get("/after"), from: server)) == 200)
      return text
    }
  }

  private func reaction(
    to text: String, limits: HTTPServerLimits = HTTPServerLimits(), endsSending: Bool = true
  ) async throws -> String {
    try await reaction(to: Array(text.utf8), limits: limits, endsSending: endsSending)
  }

  @Test func randomBytesNeverCrash() async throws {
    try await withServer { server async throws in
      var generator = SystemRandomNumberGenerator()
      for round in 0..<200 {
        let client = try RawClient(port: server.port)
        let count = Int.random(in: 1..<600, using: &generator)
        var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Some look like requests at first.
        if round % 2 == 0 { bytes = Array(get("/x").utf8.dropLast(2)) + bytes + Array("\r\n\r\n".utf8) }
        await client.send(bytes)
        client.finishSending()
        _ = await client.readToEnd()
      }
      #expect(try await status(answer(get("/after"), from: server)) == 200)
    }
  }

  @Test(arguments: [
    "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", "\r\n\r\n\r\n", " / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost x\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "GET / HTTP/1.1\n\n", "G\u{0}ET / HTTP/1.1\r\n\r\n",
  ])
  func malformedRequestsNeverReachTheHandlerOfAnotherOne(text: String) async throws {
    let reply = try await reaction(to: text)
    #expect(reply.isEmpty || reply.hasPrefix("HTTP/1."))
  }

  @Test(arguments: ["/%", "/%zz", "/a?b=%f", "/%00", "/%ff", "nopath"])
  func targetsThatCannotBeDecodedAreBadRequests(target: String) async throws {
    #expect(try await status(reaction(to: get(target))) == 400)
  }

  @Test func headersNeedAHost() async throws {
    #expect(try await status(reaction(to: "GET / HTTP/1.1\r\n\r\n")) == 400)
  }

  @Test(arguments: [
    "Content-Length: 1\r\nContent-Length: 2\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n",
    "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    "Content-Length: abc\r\n", "Content-Length: 1, 1\r\n", "Content-Length: -5\r\n", "Content-Length: +5\r\n",
    "Content-Length: \r\n",
  ])
  func ambiguousBodiesAreBadRequests(header: String) async throws {
    let text = try await reaction(
      to: "POST / HTTP/1.1\r\nHost: x\r\n\(header)\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n")
    #expect(status(text) == 400)
    #expect(!text.contains("smuggled"))
  }

  @Test func unknownTransferEncodingsAreRefused() async throws {
    let text = try await reaction(to: "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\nabc")
    #expect([400, 501].contains(status(text)))
  }

  @Test(arguments: ["zz\r\nabc\r\n0\r\n\r\n", "-1\r\nabc\r\n", "3\r\nabcdef\r\n0\r\n\r\n", ";\r\n\r\n"])
  func badChunksEndTheConnection(chunks: String) async throws {
    let text = try await reaction(to: "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)")
    #expect(text.isEmpty || status(text) == 400, "\(text)")
  }

  @Test(arguments: ["ffffffffffffffff", "7fffffffffffffff", "fffffffffffffffffffffffff", "100000000"])
  func absurdChunkSizesAreRefused(size: String) async throws {
    var limits = HTTPServerLimits()
    limits.bodyTimeout = .milliseconds(100)
    limits.lingerTimeout = .milliseconds(50)
    let text = try await reaction(
      to: "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\nabc", limits: limits,
      endsSending: false)
    #expect(text.isEmpty || [400, 408, 413].contains(status(text)), "\(text)")
  }

  @Test func aZeroInTheTargetIsABadRequest() async throws {
    for target in ["/a\u{0}b", "/\u{0}", "/a?b=\u{0}c"] {
      let reply = try await reaction(to: get(target))
      #expect(status(reply) == 400, "\(reply)")
    }
  }

  @Test func aZeroInAHeaderIsNoMoreThanTheEndOfItsValue() async throws {
    let reply = try await reaction(to: "GET /z HTTP/1.1\r\nHost: x\r\nX-A: b\u{0}c\r\nX-B: d\r\n\r\n")
    #expect(reply.hasSuffix("GET /z 0"))
  }

  @Test func truncatedRequestsAreDropped() async throws {
    let whole = "POST /t HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789"
    for count in [1, 5, 20, whole.utf8.count - 11, whole.utf8.count - 1] {
      let text = try await reaction(to: Array(whole.utf8.prefix(count)))
      #expect(!text.contains("200 OK"), "after \(count) bytes")
    }
  }
}
