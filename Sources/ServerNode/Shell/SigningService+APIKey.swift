import Foundation
import Shared
import Synchronization

extension SigningService {
  /// Reads the key with which a developer's server calls the App Store Server API for a world, or makes one. `then` gets
  /// it on the service's queue.
  func openAPIKey(of world: String, then: @escaping @Sendable (Result<APIKey, ServerNodeError>) -> Void) {
    queue.async { [self] in
      then(
        Result { () throws(ServerNodeError) in
          do { return try apiKey(of: world) } catch {
            throw ServerNodeError("the API key of world '\(world)' in \(place) cannot be used: \(error)")
          }
        })
    }
  }

  /// On the service's queue.
  func apiKey(of world: String) throws -> APIKey {
    try kept(
      apiKeys, of: world, suffix: "p8", make: { try APIKey.generate() }, load: { try APIKey.load(from: $0) },
      save: { try $0.save(to: $1) })
  }
}
