import Foundation
import HTTPServer
import Testing

@Suite struct StreamTests {
  @Test func eventsArriveAsTheyAreWritten() async throws {
    let (events, source) = AsyncStream.makeStream(of: String.self)
    let handler: HTTPHandler = { _ in
      .serverSentEvents { writer in
        for await event in events { try await writer.write(ServerSentEvent(data: event)) }
      }
    }
    try await withServer(handler: handler) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send(get("/events"))
      #expect(await client.read(until: "\r\n\r\n").contains("Content-Type: text/event-stream"))
      for event in ["one", "two"] {
        source.yield(event)
        #expect(await client.read(until: "\n\n").contains("data: \(event)"))
      }
      source.finish()
      #expect(await client.read(until: "0\r\n\r\n").contains("0\r\n\r\n"))
      // The connection is as good as before.
      await client.send(get("/events"))
      #expect(await client.read(until: "0\r\n\r\n").hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test func aReaderGetsAllThatIsWrittenHoweverMuchTheBufferHolds() async throws {
    let (progress, written) = AsyncStream.makeStream(of: Int.self)
    let piece = Data(repeating: UInt8(ascii: "p"), count: 250_000)
    var limits = HTTPServerLimits()
    limits.streamBufferBytes = 250_000
    let handler: HTTPHandler = { _ in
      HTTPResponse(
        body: .stream { writer in
          for index in 0..<16 {
            try await writer.write(piece)
            written.yield(index)
          }
          written.finish()
        })
    }
    try await withServer(limits: limits, handler: handler) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send(get("/"))
      var seen = progress.makeAsyncIterator()
      #expect(await seen.next() == 0)
      let bytes = await client.readBytes(until: "\r\n0\r\n\r\n")
      #expect(bytes.count { $0 == UInt8(ascii: "p") } == 4_000_000)
      var last = 0
      while let index = await seen.next() { last = index }
      #expect(last == 15)
    }
  }

  @Test func aWriterBeyondTheBufferIsHeldUntilItsClientGoes() async throws {
    let (outcomes, outcome) = AsyncStream.makeStream(of: String.self)
    let handler: HTTPHandler = { _ in
      HTTPResponse(
        body: .stream { writer in
          do {
            // Far more than all buffers between here and the client.
            for _ in 0..<1_000 { try await writer.write(Data(count: 1_000_000)) }
            outcome.yield("all written")
          } catch {
            outcome.yield("\(error)")
          }
        })
    }
    try await withServer(handler: handler) { server async throws in
      var client: RawClient? = try RawClient(port: server.port)
      await client?.send(get("/"))
      _ = await client?.read(until: "\r\n\r\n")
      client = nil
      var seen = outcomes.makeAsyncIterator()
      #expect(await seen.next() == "clientGone")
    }
  }

  @Test func aQuietStreamNoticesThatItsClientHasGone() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
    let handler: HTTPHandler = { _ in
      .serverSentEvents { writer in
        try await writer.write(ServerSentEvent.heartbeat)
        let (events, source) = AsyncStream.makeStream(of: Void.self)
        for await _ in events {}
        withExtendedLifetime(source) { _ = ended.yield(Task.isCancelled) }
      }
    }
    try await withServer(handler: handler) { server async throws in
      var client: RawClient? = try RawClient(port: server.port)
      await client?.send(get("/"))
      _ = await client?.read(until: ":\n\n")
      client = nil
      var seen = ends.makeAsyncIterator()
      #expect(await seen.next() == true)
      #expect(try await status(answer(get("/"), from: server)) == 200)
    }
  }

  @Test func aStreamThatFailsEndsTooEarly() async throws {
    struct Broken: Error {}
    let (reports, report) = AsyncStream.makeStream(of: String.self)
    let handler: HTTPHandler = { _ in
      HTTPResponse(
        body: .stream { writer in
          try await writer.write(Data("part".utf8))
          throw Broken()
        })
    }
    try await withServer(report: { report.yield($0) }, handler: handler) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send(get("/"))
      #expect(await !client.readToEnd().contains("0\r\n\r\n"))
      var lines = reports.makeAsyncIterator()
      #expect(await lines.next() == "Could not finish a stream: Broken()")
    }
  }

  @Test func headOfAStreamStartsNoWriter() async throws {
    let (starts, started) = AsyncStream.makeStream(of: String.self)
    let handler: HTTPHandler = { request in
      HTTPResponse(body: .stream { _ in started.yield(request.method.rawValue) })
    }
    try await withServer(handler: handler) { server async throws in
      let client = try RawClient(port: server.port)
      await client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n" + get("/"))
      _ = await client.read(until: "0\r\n\r\n")
      var seen = starts.makeAsyncIterator()
      #expect(await seen.next() == "GET")
    }
  }
}
