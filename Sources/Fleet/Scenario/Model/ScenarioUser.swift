package import Foundation

/// The developer's own app user.
package struct ScenarioUser: Sendable, Hashable {
  package var name: String
  /// The `appAccountToken`.
  package var token: UUID

  package init(name: String, token: UUID? = nil) {
    self.name = name
    self.token = token ?? ScenarioUser.token(for: name)
  }

  /// The token of a user who has none of his own: the same for the same name, everywhere and always.
  static func token(for name: String) -> UUID {
    var bytes = [UInt8]()
    for seed in [UInt64(0xcbf2_9ce4_8422_2325), 0x8422_2325_cbf2_9ce4] {
      // FNV-1a, 64 bits; the halves differ by where they start.
      let hash = name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) }
    }
    // RFC 9562, version 8: the bits are the application's own.
    bytes[6] = 0x80 | bytes[6] & 0x0F
    bytes[8] = 0x80 | bytes[8] & 0x3F
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
