import Foundation
import Synchronization

/// The description of the API, which takes a while to make and never changes.
final class CachedDescription: Sendable {
  private let json = Mutex<Data?>(nil)

  func json(version: String) throws(SchemaError) -> Data {
    if let made = json.withLock({ $0 }) { return made }
    let made = try OpenAPIDocument.json(version: version)
    json.withLock { $0 = made }
    return made
  }
}
