import AppStoreServerAPI
import ControlAPI
import HTTPServer
import ServerNode
import Synchronization

/// The HTTP side of a server node: one server for the whole process, with a room for each thing that it speaks.
///
/// It listens before the node runs, since the node's certificates name where it is asked about them.
struct HTTPFront {
  /// How long requests that have begun may take once the node is asked to end.
  private static let grace = Duration.seconds(2)

  /// What answers: nobody until the node runs.
  private final class Door: Sendable {
    private let router = Mutex<HTTPRouter?>(nil)

    func open(_ router: HTTPRouter) { self.router.withLock { $0 = router } }

    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
      guard let router = router.withLock({ $0 }) else {
        return .text("The server node is starting.\n", status: .serviceUnavailable)
      }
      return try await router.respond(to: request)
    }
  }

  private let http: HTTPServer
  private let door = Door()
  private let isLoopback: Bool
  /// Without a slash at its end.
  let baseURL: String

  init(_ options: HTTPOptions) throws(HTTPServerError) {
    let door = door
    http = try HTTPServer(
      HTTPServerConfiguration(host: options.host, port: options.port, tls: options.tls),
      report: { LogLine.write("http: \($0)") }, handler: { try await door.respond(to: $0) })
    baseURL = options.publicURL ?? options.baseURL(port: http.port)
    isLoopback = options.isLoopback
  }

  /// Answers from now on; the node must run.
  func open(_ server: StoreServer, _ api: ServerAPI.Options, token: String) {
    door.open(router(for: server, api, token: token))
  }

  func stop() async { await http.stop(within: HTTPFront.grace) }

  /// Each room adds its own paths; the control API answers for all that are nobody's.
  private func router(for server: StoreServer, _ api: ServerAPI.Options, token: String) -> HTTPRouter {
    let control = ControlAPI(
      node: ControlledServer(server: server, http: { [http] in http.counters }),
      options: .init(token: token, metricsAreOpen: isLoopback, version: Version.current))
    var router = HTTPRouter(notFound: control.router.respond)
    ServerAPI(node: server, options: api).addRoutes(to: &router)
    OCSPRoom(node: server).addRoutes(to: &router)
    return router
  }
}
