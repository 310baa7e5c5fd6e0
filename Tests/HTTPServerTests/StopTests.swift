import Foundation
import HTTPServer
import Testing

@Suite struct StopTests {
  @Test func requestsInFlightAreAnsweredAndTheirConnectionsClosed() async throws {
    let gate = Gate()
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = try HTTPServer(HTTPServerConfiguration()) { request in
      arrived.yield()
      await gate.pass()
      return .text("late")
    }
    let client = try RawClient(port: server.port)
    let idle = try RawClient(port: server.port)
    await client.send(get("/"))
    var seen = arrivals.makeAsyncIterator()
    await seen.next()

    async let stopped: Void = server.stop(within: .seconds(30))
    #expect(await idle.readToEnd().isEmpty, "connections without a request end at once")
    #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    await gate.open()
    let text = await client.readToEnd()
    #expect(text.contains("Connection: close") && text.hasSuffix("late"))
    await stopped
    #expect(server.counters.openConnections == 0)
  }

  @Test func theDeadlineCutsOffWhatIsLeft() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
    let server = try HTTPServer(HTTPServerConfiguration()) { request in
      let (never, source) = AsyncStream.makeStream(of: Void.self)
      arrived.yield()
      for await _ in never {}
      withExtendedLifetime(source) { _ = ended.yield(Task.isCancelled) }
      return .text("never seen")
    }
    let client = try RawClient(port: server.port)
    await client.send(get("/"))
    var seen = arrivals.makeAsyncIterator()
    await seen.next()
    await server.stop(within: .milliseconds(50))
    #expect(await client.readToEnd().isEmpty)
    var cancelled = ends.makeAsyncIterator()
    #expect(await cancelled.next() == true)
  }

  @Test func streamsSendWhatWasWrittenAndEnd() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: String.self)
    let server = try HTTPServer(HTTPServerConfiguration()) { _ in
      .serverSentEvents { writer in
        do {
          try await writer.write(ServerSentEvent(data: "first"))
          let (never, source) = AsyncStream.makeStream(of: Void.self)
          for await _ in never {}
          withExtendedLifetime(source) {}
          try await writer.write(ServerSentEvent(data: "too late"))
        } catch { ended.yield("\(error)") }
      }
    }
    let client = try RawClient(port: server.port)
    await client.send(get("/"))
    #expect(await client.read(until: "\n\n\r\n").contains("data: first"))
    await server.stop(within: .seconds(30))
    #expect(await client.readToEnd() == "0\r\n\r\n")
    var seen = ends.makeAsyncIterator()
    #expect(await seen.next() == "serverStopping")
  }

  @Test func aHandlerThatOutlivesTheServerStillEnds() async throws {
    let gate = Gate()
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let server = try HTTPServer(HTTPServerConfiguration()) { _ in
      arrived.yield()
      await gate.pass()
      ended.yield()
      return .text("for nobody")
    }
    let client = try RawClient(port: server.port)
    await client.send(get("/"))
    var seen = arrivals.makeAsyncIterator()
    await seen.next()
    await server.stop(within: .zero)
    await gate.open()
    var over = ends.makeAsyncIterator()
    await over.next()
    await server.stop(within: .zero)
  }
}
