import HTTPServer
import ServerNode

/// The HTTP side of a server node: one server for the whole process, with a room for each thing that it speaks.
struct HTTPFront {
  /// How long requests that have begun may take once the node is asked to end.
  private static let grace = Duration.seconds(2)

  private let http: HTTPServer
  /// Without a slash at its end.
  let baseURL: String

  /// Serves from now on; the node must run.
  init(_ options: HTTPOptions, server: StoreServer) throws(HTTPServerError) {
    let router = HTTPFront.router(for: server)
    http = try HTTPServer(
      HTTPServerConfiguration(host: options.host, port: options.port, tls: options.tls),
      report: { LogLine.write("http: \($0)") }, handler: router.respond)
    baseURL = options.baseURL(port: http.port)
  }

  func stop() async { await http.stop(within: HTTPFront.grace) }

  /// Each room adds its own paths.
  private static func router(for server: StoreServer) -> HTTPRouter {
    HTTPRouter()
  }
}
