import Foundation
package import HTTPServer
import ServerNode
import Shared
import Synchronization
import Wire

/// The App Store Server API of every world of a node, at `/WORLD/production` and `/WORLD/sandbox`; without a world's name
/// that of the world `main`.
///
///     ServerAPI(node: server).addRoutes(to: &router)
package final class ServerAPI: Sendable {
  package struct Options: Sendable {
    /// Nil lets everybody ask as often as they like.
    package var rateLimit: RateLimit?
    /// Whether the apps were never released: then Apple's production answers 401 to every request.
    package var isUnreleased: Bool
    package var log: @Sendable (String) -> Void

    package init(
      rateLimit: RateLimit? = nil, isUnreleased: Bool = false, log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      self.rateLimit = rateLimit
      self.isUnreleased = isUnreleased
      self.log = log
    }
  }

  /// The world that paths without one mean.
  package static let usualWorld = "main"

  private let node: any StoreNode
  private let options: Options
  private let limiter: RateLimiter?
  private let worlds = Mutex<[String: APIWorld]>([:])

  package init(node: any StoreNode, options: Options = Options()) {
    self.node = node
    self.options = options
    limiter = options.rateLimit.map { RateLimiter($0) }
  }

  package func addRoutes(to router: inout HTTPRouter) {
    for base in APIBase.allCases {
      for prefix in ["/{world}/\(base.rawValue)", "/\(base.rawValue)"] {
        for endpoint in Endpoint.all {
          router.on(endpoint.method, prefix + endpoint.path) { request in
            await self.respond(to: request, endpoint, at: base)
          }
        }
      }
    }
  }

  // MARK: Answering

  private func respond(to request: HTTPRequest, _ endpoint: Endpoint, at base: APIBase) async -> HTTPResponse {
    let name = request.parameters["world"] ?? ServerAPI.usualWorld
    do {
      let world: APIWorld
      if let known = worlds.withLock({ $0[name] }) {
        world = known
      } else {
        guard let opened = try await open(name) else {
          return .text("There is no world '\(name)'.\n", status: .notFound)
        }
        world = opened
      }
      guard isLetIn(request, to: world, at: base) else { return APIAnswer.unauthorized }
      if let again = limiter?.refuse(endpoint.rate, world.name, base, at: Date().timeIntervalSince1970) {
        var response = APIAnswer.error(.rateLimitExceeded)
        response.headers["Retry-After"] = String(again)
        return response
      }
      let call = APICall(request: request, world: world, base: base, node: node)
      return try await endpoint.answer(call)
    } catch {
      return APIAnswer.error(told(error, by: request))
    }
  }

  private func isLetIn(_ request: HTTPRequest, to world: APIWorld, at base: APIBase) -> Bool {
    do throws(APITokenRefusal) {
      guard let token = request.bearerToken else { throw .malformed }
      try world.gate.check(token, at: Date().timeIntervalSince1970)
    } catch {
      options.log("App Store Server API of world '\(world.name)': 401, \(error)")
      return false
    }
    return base != .production || !options.isUnreleased
  }

  /// Every error as the API says it; what is no client's doing goes to the log.
  private func told(_ error: any Error, by request: HTTPRequest) -> APIError {
    if let error = error as? APIError { return error }
    options.log("App Store Server API: \(request.method.rawValue) \(request.path): \(error)")
    guard let error = error as? WireError else { return .generalInternal }
    return error.isRetriable ? .generalInternalRetryable : .generalInternal
  }

  // MARK: Worlds

  /// Nil when there is no such world.
  private func open(_ name: String) async throws -> APIWorld? {
    guard ActorAddress.isName(name) else { return nil }
    let description: WorldDescription
    do { description = try await node.describe(name) } catch {
      if error.code == .unknownAddress { return nil }
      throw error
    }
    let world = APIWorld(description, key: try await node.apiKey(of: name))
    // Somebody else may have been faster: one gate for all.
    return worlds.withLock { worlds in
      let first = worlds[name] ?? world
      worlds[name] = first
      return first
    }
  }
}
