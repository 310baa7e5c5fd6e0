import Foundation
import HTTPServer
import Testing

/// A body that many connections share is answered as one made anew, on each of them.
@Suite struct KeptBodyTests {
  private let kept = KeptBody(Data("the same for all".utf8), contentType: "text/x-kept")

  @Test func manyConnectionsGetTheSameBody() async throws {
    let kept = kept
    try await withServer(handler: { _ in HTTPResponse(body: .kept(kept)) }) { server async throws in
      try await withThrowingTaskGroup { group in
        for _ in 0..<20 {
          group.addTask {
            let client = try RawClient(port: server.port)
            for _ in 0..<20 {
              await client.send(get("/"))
              let answer = await client.readResponse()
              #expect(status(answer) == 200 && answer.hasSuffix("\r\n\r\nthe same for all"))
              #expect(answer.contains("\r\nContent-Type: text/x-kept\r\n"))
            }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(kept.data == Data("the same for all".utf8))
  }

  @Test func headersOfOneAnswerAreNotThoseOfTheNext() async throws {
    let kept = kept
    let handler: HTTPHandler = { request in
      HTTPResponse(headers: request.path == "/marked" ? ["X-Mark": "1"] : [:], body: .kept(kept))
    }
    try await withServer(handler: handler) { server async throws in
      let marked = try await answer(get("/marked"), from: server)
      #expect(marked.contains("\r\nX-Mark: 1\r\n") && marked.contains("\r\nContent-Type: text/x-kept\r\n"))
      #expect(marked.hasSuffix("the same for all"))
      #expect(try await !answer(get("/"), from: server).contains("X-Mark"))
    }
  }

  @Test func aTypeThatCannotBeSentIsAnErrorOfTheServer() async throws {
    let broken = KeptBody(Data("x".utf8), contentType: "text/\r\nx")
    try await withServer(handler: { _ in HTTPResponse(body: .kept(broken)) }) { server async throws in
      #expect(status(try await answer(get("/"), from: server)) == 500)
    }
  }
}
