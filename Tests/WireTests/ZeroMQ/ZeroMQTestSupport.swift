import Foundation
import Testing
import Wire

/// Runs `body` with a context and a reactor of its own, and ends both in order.
func withReactor(
  _ body: (ZMQContext, Reactor) async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let context = try ZMQContext()
  let reactor = try Reactor(name: "test-reactor")
  let result: Result<Void, any Error>
  do {
    result = .success(try await body(context, reactor))
  } catch {
    result = .failure(error)
  }
  reactor.stop()
  await reactor.join()
  #expect(await context.terminate(within: .seconds(10)), sourceLocation: sourceLocation)
  try result.get()
}

extension Reactor {
  /// Runs `body` on the reactor's thread.
  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      post { continuation.resume(with: Result { try body() }) }
    }
  }
}

enum TestEndpoint: CaseIterable {
  case inproc, ipc, tcp

  /// A place where nobody listens yet.
  var unused: String {
    switch self {
    case .inproc: "inproc://\(UUID())"
    case .ipc: "ipc:///tmp/\(UUID()).socket"
    case .tcp: "tcp://127.0.0.1:*"
    }
  }
}

func removeFile(of endpoint: String) {
  guard endpoint.hasPrefix("ipc://") else { return }
  try? FileManager.default.removeItem(atPath: String(endpoint.dropFirst("ipc://".count)))
}

func standardError(of result: ExitTest.Result) -> String {
  String(decoding: result.standardErrorContent, as: UTF8.self)
}
