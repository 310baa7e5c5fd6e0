import CMicroHTTPD
import Foundation
import Synchronization

/// An HTTP/1.1 server.
///
///     let server = try HTTPServer(HTTPServerConfiguration(port: 8080), handler: router.respond)
///     …
///     await server.stop(within: .seconds(5))
///
/// It serves from `init` until `stop`, whoever holds it. Handlers run on its threads until they await something that is
/// isolated elsewhere; while one waits, its connection is put aside and costs no thread.
package final class HTTPServer: Sendable {
  /// The port that it listens on.
  package let port: Int
  private let state: HTTPServerState
  private let loops: [HTTPLoop]

  /// - Parameter report: Gets one line about each error that a handler throws.
  package init(
    _ configuration: HTTPServerConfiguration, report: @escaping @Sendable (String) -> Void = HTTPServer.standardError,
    handler: @escaping HTTPHandler
  ) throws(HTTPServerError) {
    if configuration.tls != nil, !cmicrohttpd_has_tls() {
      throw HTTPServerError(
        operation: "start an HTTPS server",
        reason: "this libmicrohttpd was built without TLS. Install Debian's, which has it.")
    }
    state = HTTPServerState(
      limits: configuration.limits, isTLS: configuration.tls != nil, handler: handler, report: report)
    let listener = try ListeningSocket(host: configuration.host, port: configuration.port)
    port = listener.port
    var loops: [HTTPLoop] = []
    for _ in 0..<max(configuration.threads, 1) { loops.append(try HTTPLoop(state: state, tls: configuration.tls)) }
    self.loops = loops
    do {
      for (index, loop) in loops.enumerated() { try loop.start(name: "http-\(index)") }
    } catch {
      for loop in loops { loop.abandon() }
      throw error
    }
    let (first, descriptor) = (loops[0], listener.take())
    first.perform { [loops] in first.listen(on: descriptor, peers: loops) }
  }

  /// Stops listening, lets the requests that have begun be answered, and closes all connections: those without a
  /// request at once, streams as soon as they have sent what was written, and when `grace` is over, all that are left.
  /// Handlers that still run then are cancelled.
  package func stop(within grace: Duration) async {
    await withTaskGroup { group in
      for loop in loops { group.addTask { await loop.stop(within: grace) } }
    }
  }

  package var counters: HTTPServerCounters {
    HTTPServerCounters(
      openConnections: state.openConnections.load(ordering: .relaxed),
      acceptedConnections: state.acceptedConnections.load(ordering: .relaxed),
      refusedConnections: state.refusedConnections.load(ordering: .relaxed),
      requests: state.requests.load(ordering: .relaxed),
      refusedRequests: state.refusedRequests.load(ordering: .relaxed))
  }

  /// Writes a line to standard error.
  package static let standardError: @Sendable (String) -> Void = { line in
    FileHandle.standardError.write(Data("http: \(line)\n".utf8))
  }
}
