import ControlAPI
import HTTPServer
import ServerNode
import Synchronization

/// The HTTP side of a server node: one server for the whole process, with a room for each thing that it speaks.
struct HTTPFront {
  /// How long requests that have begun may take once the node is asked to end.
  private static let grace = Duration.seconds(2)

  private let http: HTTPServer
  /// Without a slash at its end.
  let baseURL: String

  /// Serves from now on; the node must run.
  init(_ options: HTTPOptions, server: StoreServer, token: String) throws(HTTPServerError) {
    let counted = CountedServer()
    let router = HTTPFront.router(for: server, options, token: token, counted)
    http = try HTTPServer(
      HTTPServerConfiguration(host: options.host, port: options.port, tls: options.tls),
      report: { LogLine.write("http: \($0)") }, handler: router.respond)
    counted.note(http)
    baseURL = options.baseURL(port: http.port)
  }

  func stop() async { await http.stop(within: HTTPFront.grace) }

  /// Each room adds its own paths; the control API answers for all that are nobody's.
  private static func router(
    for server: StoreServer, _ options: HTTPOptions, token: String, _ counted: CountedServer
  ) -> HTTPRouter {
    let control = ControlAPI(
      node: ControlledServer(server: server, http: { counted.counters }),
      options: .init(token: token, metricsAreOpen: options.isLoopback, version: Version.current))
    return HTTPRouter(notFound: control.router.respond)
  }
}

/// The HTTP server of this process, for the metrics that it serves itself.
private final class CountedServer: Sendable {
  private let server = Mutex<HTTPServer?>(nil)

  func note(_ server: HTTPServer) { self.server.withLock { $0 = server } }

  var counters: HTTPServerCounters? { server.withLock { $0 }?.counters }
}
