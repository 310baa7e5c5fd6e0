/// Answers a request. Runs on one of the server's threads until it awaits something that is isolated elsewhere, so it
/// must not block; work of more than a millisecond belongs to an actor, or into
/// `withTaskExecutorPreference(globalConcurrentExecutor)`. An error that it throws is a 500 without details.
package typealias HTTPHandler = @Sendable (HTTPRequest) async throws -> HTTPResponse

/// Finds the handler for a method and a path.
///
///     var router = HTTPRouter()
///     router.on(.get, "/inApps/v1/transactions/{transactionId}") { request in
///       … request.parameters["transactionId"] …
///     }
///
/// A literal part of a template goes before a named one; a named part is never empty. GET answers HEAD too, unless HEAD
/// has a handler of its own; OPTIONS is answered for each path that has handlers.
package struct HTTPRouter: Sendable {
  private var root = Node()
  private let notFound: HTTPHandler

  /// - Parameter notFound: Answers what no template fits.
  package init(notFound: @escaping HTTPHandler = { _ in HTTPResponse(status: .notFound) }) { self.notFound = notFound }

  /// Adds a handler. Templates are the program's own, so a wrong one (no slash at the start, a route that is there
  /// already) is a mistake in the program and traps.
  package mutating func on(_ method: HTTPMethod, _ template: String, _ handler: @escaping HTTPHandler) {
    precondition(template.first == "/", "The template '\(template)' must start with '/'")
    let parts = template.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    var names: [String] = []
    for part in parts where part.first == "{" {
      precondition(part.last == "}" && part.count > 2, "The template '\(template)' has a part that is no '{name}'")
      names.append(String(part.dropFirst().dropLast()))
    }
    root.add(parts[...], method, Route(names: names, handler: handler), template)
  }

  /// Answers a request with the handler that fits.
  package func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    var values: [String] = []
    guard let routes = root.find(request.target.segments[...], &values) else { return try await notFound(request) }
    guard let route = routes.byMethod[request.method] ?? (request.method == .head ? routes.byMethod[.get] : nil) else {
      let headers: HTTPHeaders = ["Allow": routes.allowed]
      return HTTPResponse(status: request.method == .options ? .noContent : .methodNotAllowed, headers: headers)
    }
    guard !values.isEmpty else { return try await route.handler(request) }
    var request = request
    request.parameters = HTTPPathParameters(names: route.names, values: values)
    return try await route.handler(request)
  }

  private struct Route: Sendable {
    let names: [String]
    let handler: HTTPHandler
  }

  private struct Routes: Sendable {
    var byMethod: [HTTPMethod: Route] = [:]

    /// The value of `Allow`.
    var allowed: String {
      var methods = Set(byMethod.keys.map(\.rawValue)).union(["OPTIONS"])
      if methods.contains("GET") { methods.insert("HEAD") }
      return methods.sorted().joined(separator: ", ")
    }
  }

  /// A part of a path. Arrays and not dictionaries: parts are few and short, so to compare them is less than to hash them,
  /// and nodes are looked at in place.
  private struct Node: Sendable {
    /// What the nodes below stand for.
    var literals: [String] = []
    var nodes: [Node] = []
    /// None or one: an array, since a struct cannot hold itself.
    var named: [Node] = []
    var routes: Routes?

    mutating func add(_ parts: ArraySlice<Substring>, _ method: HTTPMethod, _ route: Route, _ template: String) {
      guard let part = parts.first else {
        precondition(routes?.byMethod[method] == nil, "\(method.rawValue) \(template) has a handler already")
        routes = routes ?? Routes()
        routes?.byMethod[method] = route
        return
      }
      if part.first == "{" {
        if named.isEmpty { named = [Node()] }
        named[0].add(parts.dropFirst(), method, route, template)
      } else {
        let index = literals.firstIndex { $0 == part } ?? literals.endIndex
        if index == literals.endIndex {
          literals.append(String(part))
          nodes.append(Node())
        }
        nodes[index].add(parts.dropFirst(), method, route, template)
      }
    }

    /// Depth is bounded by the templates, not by the request.
    func find(_ segments: ArraySlice<String>, _ values: inout [String]) -> Routes? {
      guard let segment = segments.first else { return routes }
      if let index = literals.firstIndex(of: segment), let found = nodes[index].find(segments.dropFirst(), &values) {
        return found
      }
      guard !named.isEmpty, !segment.isEmpty else { return nil }
      values.append(segment)
      if let found = named[0].find(segments.dropFirst(), &values) { return found }
      values.removeLast()
      return nil
    }
  }
}
