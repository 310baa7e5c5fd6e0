import Foundation
import Shared
import Wire

/// What does not change of a world, at hand for every request.
final class APIWorld: Sendable {
  let name: String
  let identity: StoreIdentity
  let gate: APITokenGate
  let signatures = SignatureCache()

  init(_ description: WorldDescription, key: APIKey) {
    name = description.world
    identity = StoreIdentity(bundleId: description.bundleId, environment: description.environment)
    gate = APITokenGate(APITokenVerifier(key: key, bundleId: description.bundleId))
  }

  var address: ActorAddress { ActorAddress(world: name, kind: .world, key: name) }

  func account(_ name: String) -> ActorAddress { ActorAddress(world: self.name, kind: .account, key: name) }

  /// Whether the world's transactions are found at this base.
  func isServed(at base: APIBase) -> Bool { (identity.environment == "Production") == (base == .production) }
}

/// The two hosts of Apple's, as paths: production, and everything else.
package enum APIBase: String, Hashable, Sendable, CaseIterable {
  case production
  case sandbox
}
