import Foundation
import HTTPServer
import Testing

@Suite struct ConnectionTests {
  @Test func aConnectionServesManyRequests() async throws {
    try await withServer { server async throws in
      let client = try RawClient(port: server.port)
      for round in 0..<50 {
        let body = String(repeating: "x", count: round)
        await client.send("POST /r\(round) HTTP/1.1\r\nHost: x\r\nContent-Length: \(round)\r\n\r\n\(body)")
        #expect(await client.readResponse().hasSuffix("POST /r\(round) \(round)"))
      }
      #expect(server.counters.acceptedConnections == 1 && server.counters.requests == 50)
    }
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
    try await withServer { server async throws in
      let client = try RawClient(port: server.port)
      let many = (0..<100).map { get("/p\($0)") }.joined()
      await client.send(many + "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let text = await client.readToEnd()
      var rest = text[...]
      for index in 0..<100 {
        let found = rest.range(of: "GET /p\(index) 0")
        #expect(found != nil)
        if let found { rest = rest[found.upperBound...] }
      }
      #expect(rest.contains("GET /last 0"))
    }
  }

  @Test func aClientThatHasFinishedSendingIsStillAnswered() async throws {
    let gate = Gate()
    let handler: HTTPHandler = { request in
      await gate.pass()
      return try await echo(request)
    }
    try await withServer(handler: handler) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send(get("/half"))
      client.finishSending()
      await gate.open()
      #expect(await client.readToEnd().contains("GET /half 0"))
    }
  }

  @Test func queriesReachTheHandlerDecoded() async throws {
    let handler: HTTPHandler = { .text($0.queryValues("status").joined(separator: "|")) }
    try await withServer(handler: handler) { server async throws in
      let text = try await answer(get("/q?status=1&other=x&status=a%26b+c"), from: server)
      #expect(text.hasSuffix("\r\n\r\n1|a&b c"))
    }
  }

  @Test func closeAndOldVersionsEndTheConnection() async throws {
    try await withServer { server async throws in
      let client = try RawClient(port: server.port)
      await client.send("GET /c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      #expect(await client.readToEnd().hasSuffix("GET /c 0"))
      let old = try RawClient(port: server.port)
      await old.send("GET /o HTTP/1.0\r\n\r\n")
      #expect(await old.readToEnd().hasSuffix("GET /o 0"))
    }
  }

  @Test func headHasTheHeadersOfGetAndNoBody() async throws {
    try await withServer { server async throws in
      let client = try RawClient(port: server.port)
      await client.send("HEAD /h HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let text = await client.readToEnd()
      #expect(text.contains("Content-Length: 9") && text.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func handlersThatWaitHoldNoThread() async throws {
    let gate = Gate()
    let handler: HTTPHandler = { request in
      if request.path == "/wait" { await gate.pass() }
      return try await echo(request)
    }
    try await withServer(threads: 1, handler: handler) { server async throws in
      let waiting = try (0..<200).map { _ in try RawClient(port: server.port) }
      for client in waiting { await client.send(get("/wait")) }
      #expect(try await answer(get("/quick"), from: server).hasSuffix("GET /quick 0"))
      await gate.open()
      for client in waiting { #expect(await client.readResponse().hasSuffix("GET /wait 0")) }
    }
  }

  @Test func slowClientsDoNotHoldUpOthers() async throws {
    let large = Data(repeating: UInt8(ascii: "l"), count: 8_000_000)
    let handler: HTTPHandler = { request in
      request.path == "/large" ? .data(large, contentType: "text/plain") : .text("small")
    }
    try await withServer(threads: 1, handler: handler) { server async throws in
      // They ask for more than their sockets hold and read nothing, or send a request by halves.
      let slow = try (0..<20).map { _ in try RawClient(port: server.port) }
      for (index, client) in slow.enumerated() { await client.send(index % 2 == 0 ? get("/large") : "GET /slo") }
      for _ in 0..<20 { #expect(try await answer(get("/small"), from: server).hasSuffix("small")) }
    }
  }

  @Test func thousandsOfConnectionsAreOpenAtOnce() async throws {
    try await withServer { server async throws in
      let clients = try (0..<2000).map { _ in try RawClient(port: server.port) }
      for client in clients { await client.send(get("/many")) }
      for client in clients { #expect(await client.readResponse().hasSuffix("GET /many 0")) }
      #expect(server.counters.openConnections == 2000)
    }
  }

  @Test func errorsOfHandlersAre500WithoutDetailsAndReported() async throws {
    struct Secret: Error {}
    let (reports, report) = AsyncStream.makeStream(of: String.self)
    try await withServer(report: { report.yield($0) }, handler: { _ in throw Secret() }) { server async throws in
      let text = try await answer(get("/fail"), from: server)
      #expect(status(text) == 500 && !text.contains("Secret"))
      var lines = reports.makeAsyncIterator()
      #expect(await lines.next() == "Could not answer GET /fail: Secret()")
    }
  }

  @Test(arguments: [
    HTTPResponse(headers: ["X-Injected": "a\r\nX-Evil: b"]), HTTPResponse(headers: ["Content-Length": "7"]),
    HTTPResponse(status: HTTPStatus(rawValue: 7)), HTTPResponse(status: HTTPStatus(rawValue: -1)),
    HTTPResponse(status: HTTPStatus(rawValue: 100)),
  ])
  func responsesThatCannotBeSentAre500(response: HTTPResponse) async throws {
    try await withServer(handler: { _ in response }) { server async throws in
      let text = try await answer(get("/"), from: server)
      #expect(status(text) == 500 && !text.contains("Evil"))
    }
  }

  @Test func emptyAnswersHaveNoBody() async throws {
    try await withServer(handler: { _ in HTTPResponse(status: .noContent) }) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let text = await client.readToEnd()
      #expect(status(text) == 204 && text.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func addressesInUseAndUnknownOnesAreErrors() async throws {
    try await withServer { server async throws in
      let port = server.port
      let error = #expect(throws: HTTPServerError.self) {
        try HTTPServer(HTTPServerConfiguration(port: port), handler: echo)
      }
      #expect(error?.description.contains("127.0.0.1:\(port): Address already in use") == true)
    }
    #expect(throws: HTTPServerError.self) { try HTTPServer(HTTPServerConfiguration(host: "192.0.2.1"), handler: echo) }
    #expect(throws: HTTPServerError.self) { try HTTPServer(HTTPServerConfiguration(port: 70_000), handler: echo) }
    #expect(throws: HTTPServerError.self) {
      let tls = HTTPTLSIdentity(certificateChain: "no certificate", privateKey: "no key")
      return try HTTPServer(HTTPServerConfiguration(tls: tls), handler: echo)
    }
  }
}
