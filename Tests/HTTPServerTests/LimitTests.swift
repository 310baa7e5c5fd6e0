import Foundation
import HTTPServer
import Testing

@Suite struct LimitTests {
  @Test func tooManyHeaderBytesAre431() async throws {
    var limits = HTTPServerLimits()
    limits.headerBytes = 8 * 1024
    try await withServer(limits: limits) { server async throws in
      for count in [9_000, 100_000, 3_000_000] {
        let client = try RawClient(port: server.port)
        let filler = String(repeating: "a", count: count)
        await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Filler: \(filler)\r\n\r\n")
        let text = await client.readResponse()
        // Much more than the limit is cut off while it comes, and then the answer can be lost with what was unread.
        #expect(status(text) == 431 || (count > 10_000 && text.isEmpty), "\(count) bytes: \(text)")
      }
      #expect(try await status(answer(get("/"), from: server)) == 200)
    }
  }

  @Test func tooManyHeadersAre431() async throws {
    var limits = HTTPServerLimits()
    limits.headerCount = 20
    try await withServer(limits: limits) { server async throws in
      let fields = (0..<20).map { "X-\($0): a\r\n" }.joined()
      #expect(try await status(answer("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n", from: server)) == 431)
      let fewer = fields.dropFirst("X-0: a\r\n".count)
      #expect(try await status(answer("GET / HTTP/1.1\r\nHost: x\r\n\(fewer)\r\n", from: server)) == 200)
    }
  }

  @Test func aTargetThatIsTooLongIsRefused() async throws {
    try await withServer { server async throws in
      let long = try await answer(get("/" + String(repeating: "a", count: 30_000)), from: server)
      #expect([414, 431].contains(status(long)))
      let client = try RawClient(port: server.port)
      await client.send(get("/" + String(repeating: "a", count: 2_000_000)))
      _ = await client.readToEnd()
      #expect(try await status(answer(get("/" + String(repeating: "a", count: 6_000)), from: server)) == 200)
    }
  }

  @Test(arguments: ["a", "a=1", "", "=", "productId=com.example.app.coins"])
  func aQueryMayHaveAsManyItemsAsItHasRoomFor(item: String) async throws {
    let count = 8_000 / (item.utf8.count + 1)
    let counting: HTTPHandler = { .text("\($0.target.query.count) \($0.body.count)") }
    try await withServer(handler: counting) { server async throws in
      let query = Array(repeating: item, count: count).joined(separator: "&")
      let given = try HTTPTarget("/?" + query).query.count
      // The next request on the same connection begins behind this one's body.
      let client = try RawClient(port: server.port)
      for _ in 0..<2 {
        await client.send("POST /?\(query) HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
        let text = await client.readResponse()
        #expect(status(text) == 200)
        #expect(text.hasSuffix("\r\n\(given) 3"))
      }
    }
  }

  @Test func theTimeOfAConnectionBeginsWithIt() async throws {
    var limits = HTTPServerLimits()
    limits.idleTimeout = .seconds(2)
    try await withServer(limits: limits) { server async throws in
      // A server that nobody speaks to sleeps, which is what this is about: there is nothing to be awaited.
      try await Task.sleep(for: .milliseconds(2_200))
      let client = try RawClient(port: server.port)
      while server.counters.acceptedConnections == 0 { await Task.yield() }
      #expect(await client.send(get("/")))
      #expect(status(await client.readResponse()) == 200)
    }
  }

  @Test func bodiesUpToTheLimitArriveAndLargerOnesAre413() async throws {
    var limits = HTTPServerLimits()
    limits.bodyBytes = 100_000
    try await withServer(limits: limits) { server async throws in
      let most = String(repeating: "b", count: 100_000)
      let whole = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n\(most)"
      #expect(try await answer(whole, from: server).hasSuffix("POST /b 100000"))
      let announced = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 100001\r\n\r\n\(most)b"
      #expect(try await status(answer(announced, from: server)) == 413)
      let absurd = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n"
      #expect(try await [400, 413].contains(status(answer(absurd, from: server))))
    }
  }

  @Test func chunkedBodiesAreLimitedToo() async throws {
    var limits = HTTPServerLimits()
    limits.bodyBytes = 10_000
    try await withServer(limits: limits) { server async throws in
      let head = "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      let chunk = "3e8\r\n" + String(repeating: "c", count: 1000) + "\r\n"
      let most = head + String(repeating: chunk, count: 10) + "0\r\n\r\n"
      #expect(try await answer(most, from: server).hasSuffix("POST /c 10000"))
      let more = head + String(repeating: chunk, count: 2_000) + "0\r\n\r\n"
      #expect(try await status(answer(more, from: server)) == 413)
    }
  }

  @Test func expectedContinueIsSentOrTheBodyIsRefusedAtOnce() async throws {
    var limits = HTTPServerLimits()
    limits.bodyBytes = 10
    try await withServer(limits: limits) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send("POST /e HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
      #expect(await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue"))
      await client.send("12345")
      #expect(await client.readResponse().hasSuffix("POST /e 5"))

      let other = try RawClient(port: server.port)
      await other.send("POST /e HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n")
      #expect(await status(other.readResponse()) == 413)
    }
  }

  @Test func oneConnectionTooManyIs503AndTheNextAfterAnEndIsServed() async throws {
    var limits = HTTPServerLimits()
    limits.connections = 3
    try await withServer(limits: limits) { server async throws in
      var open = try (0..<3).map { _ in try RawClient(port: server.port) }
      for client in open {
        await client.send(get("/"))
        #expect(await status(client.readResponse()) == 200)
      }
      let refused = try RawClient(port: server.port)
      #expect(await status(refused.readToEnd()) == 503)
      #expect(server.counters.refusedConnections == 1 && server.counters.openConnections == 3)

      await open[0].send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      _ = await open[0].readToEnd()
      open.removeFirst()
      // The end of a connection is counted a moment after its client has seen it.
      var reply = ""
      while status(reply) != 200 {
        let next = try RawClient(port: server.port)
        await next.send(get("/"))
        reply = await next.readResponse()
      }
    }
  }

  @Test func slowHeadersAre408() async throws {
    var limits = HTTPServerLimits()
    limits.headerTimeout = .milliseconds(50)
    try await withServer(limits: limits) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Never: ")
      #expect(await status(client.readToEnd()) == 408)
    }
  }

  @Test func silentConnectionsAreClosedWithoutAWord() async throws {
    var limits = HTTPServerLimits()
    limits.idleTimeout = .milliseconds(50)
    try await withServer(limits: limits) { server async throws in
      let silent = try RawClient(port: server.port)
      #expect(await silent.readToEnd().isEmpty)
    }
  }

  /// Clients keep connections for later, and open some before they need them: no other limit may end these.
  @Test func nothingButItsOwnLimitEndsAnIdleConnection() async throws {
    var limits = HTTPServerLimits()
    (limits.idleTimeout, limits.headerTimeout) = (.seconds(3), .milliseconds(50))
    (limits.bodyTimeout, limits.stallTimeout, limits.lingerTimeout) = (
      .milliseconds(50), .seconds(1), .milliseconds(50)
    )
    try await withServer(limits: limits) { server async throws in
      let began = ContinuousClock.now
      let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
      await clients[0].send(get("/"))
      #expect(status(await clients[0].readResponse()) == 200)
      await withTaskGroup(of: Duration.self) { group in
        for client in clients {
          group.addTask {
            #expect(await client.readToEnd().isEmpty)
            return ContinuousClock.now - began
          }
        }
        for await time in group { #expect(time > .milliseconds(2_900)) }
      }
    }
  }

  @Test func slowBodiesAre408() async throws {
    var limits = HTTPServerLimits()
    limits.bodyTimeout = .milliseconds(50)
    try await withServer(limits: limits) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n123")
      #expect(await status(client.readToEnd()) == 408)
      #expect(server.counters.refusedRequests == 1 && server.counters.requests == 0)
    }
  }

  @Test func aByteNowAndThenDoesNotKeepASlowRequestAlive() async throws {
    var limits = HTTPServerLimits()
    limits.headerTimeout = .milliseconds(100)
    try await withServer(limits: limits) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Drip: ")
      // It drips as fast as the server takes it, until the server has enough.
      while await client.send("a") { await Task.yield() }
      #expect(server.counters.requests == 0)
    }
  }

  @Test func idleConnectionsAreClosed() async throws {
    var limits = HTTPServerLimits()
    limits.idleTimeout = .milliseconds(50)
    try await withServer(limits: limits) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send(get("/"))
      let text = await client.readToEnd()
      #expect(status(text) == 200)
    }
  }
}
