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
    guard let folder else {
      if let known = apiKeys.withLock({ $0[world] }) { return known }
      let made = try APIKey.generate()
      apiKeys.withLock { $0[world] = made }
      return made
    }
    try makeFolder(folder)
    // Authorities end in `.pem`, so that no world's name makes one of these.
    let file = URL(filePath: folder).appending(path: "\(world).p8")
    if FileManager.default.fileExists(atPath: file.path) { return try APIKey.load(from: file) }
    let key = try APIKey.generate()
    try key.save(to: file)
    return key
  }
}
