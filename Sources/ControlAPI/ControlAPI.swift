import Foundation
package import HTTPServer
import Wire

/// The control API: what the command line can do, as JSON over HTTP. See docs/control-api.md.
package struct ControlAPI: Sendable {
  package struct Options: Sendable {
    /// What callers must say; empty lets everybody in.
    package var token: String
    /// Whether `/metrics` is there without the token.
    package var metricsAreOpen: Bool
    /// Of the program, for the API's description.
    package var version: String
    /// How often a quiet stream of events says that it lives.
    package var heartbeat: Duration

    package init(
      token: String, metricsAreOpen: Bool = false, version: String = "0", heartbeat: Duration = .seconds(15)
    ) {
      self.token = token
      self.metricsAreOpen = metricsAreOpen
      self.version = version
      self.heartbeat = heartbeat
    }
  }

  let node: any ControlledNode
  let options: Options
  let keys = IdempotencyKeys()
  private let description = CachedDescription()

  package init(node: any ControlledNode, options: Options) {
    self.node = node
    self.options = options
  }

  /// What answers all paths of the API, and says in its own words that there are no others.
  package var router: HTTPRouter {
    var router = HTTPRouter { request in
      let message = "there is no '\(request.path.prefix(200))' here: see /openapi.json"
      return WireError(.unknownName, message).response
    }
    for request in ControlRequest.all { router.on(.post, request.path) { await perform(request, $0) } }
    for question in ControlQuestion.all { router.on(.get, question.path) { await answer(question, $0) } }
    router.on(.get, ControlAPI.eventsPath) { await events($0) }
    router.on(.get, "/openapi.json") { _ in .json(try description.json(version: options.version)) }
    router.on(.get, "/metrics") { await metrics($0) }
    router.on(.get, "/healthz") { _ in .text("ok\n") }
    router.on(.get, "/readyz") { _ in
      guard await node.metrics() != nil else { return .text("not ready\n", status: .serviceUnavailable) }
      return .text("ready\n")
    }
    return router
  }

  private func metrics(_ request: HTTPRequest) async -> HTTPResponse {
    do throws(WireError) {
      if !options.metricsAreOpen { try authorize(request) }
      guard let families = await node.metrics() else {
        throw WireError(.unavailable, "the server node does not answer requests: ask again")
      }
      return .data(Data(PrometheusText.of(families).utf8), contentType: PrometheusText.contentType)
    } catch {
      return error.response
    }
  }

  // MARK: Who may

  /// - Throws: `unauthorized` unless the request says the fleet's token.
  func authorize(_ request: HTTPRequest) throws(WireError) {
    if options.token.isEmpty {
      // Without a token, nothing but this keeps pages that a browser on this machine shows from acting on the store.
      guard request.headers["Origin"] == nil else {
        throw WireError(.forbidden, "a server without a token takes no requests from web pages: start it with --token")
      }
      return
    }
    guard let given = request.bearerToken, ControlAPI.areEqual(given, options.token) else {
      throw WireError(
        .unauthorized,
        "the token is missing or is not this fleet's: send 'Authorization: Bearer TOKEN' with the token of "
          + "STOREFLEET_TOKEN, --token or the run folder")
    }
  }

  /// Takes as long for a near miss as for a far one.
  private static func areEqual(_ given: some StringProtocol, _ token: String) -> Bool {
    let (given, token) = (Array(given.utf8), Array(token.utf8))
    var difference: UInt8 = given.count == token.count ? 0 : 1
    for (place, byte) in token.enumerated() { difference |= byte ^ (place < given.count ? given[place] : 0) }
    return difference == 0
  }
}
