import Foundation
import HTTPServer
import Testing

/// Runs a server on a port that the system picks while `body` runs, and stops it whatever happens.
func withServer<Value>(
  limits: HTTPServerLimits = HTTPServerLimits(), tls: HTTPTLSIdentity? = nil, threads: Int = 2,
  report: @escaping @Sendable (String) -> Void = { _ in },
  handler: @escaping HTTPHandler = echo, _ body: (HTTPServer) async throws -> Value
) async throws -> Value {
  let server = try HTTPServer(
    HTTPServerConfiguration(tls: tls, limits: limits, threads: threads), report: report, handler: handler)
  do {
    let value = try await body(server)
    await server.stop(within: .seconds(10))
    return value
  } catch {
    await server.stop(within: .zero)
    throw error
  }
}

/// Answers with what came: method, path, and the number of bytes of the body.
let echo: HTTPHandler = { request in
  .text("\(request.method.rawValue) \(request.path) \(request.body.count)")
}

/// A door that handlers wait at until a test opens it. Opened once, it stays open.
actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func pass() async {
    guard !isOpen else { return }
    await withCheckedContinuation { waiters.append($0) }
  }

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

/// Asks one connection and reads the answer.
func answer(_ text: String, from server: HTTPServer) async throws -> String {
  let client = try RawClient(port: server.port)
  await client.send(text)
  return await client.readResponse()
}

func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: test\r\n\r\n" }

/// The status of the first response in the text, 0 if there is none.
func status(_ response: String) -> Int {
  response.hasPrefix("HTTP/1.1 ") ? Int(response.dropFirst(9).prefix(3)) ?? 0 : 0
}
