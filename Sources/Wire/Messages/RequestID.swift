package import Foundation

/// Names one request for ever. A retry carries the same id, so that the store applies it once and answers alike.
package struct RequestID: Hashable, Sendable {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }

  /// Reads the 16 bytes of the wire; nil for any other length.
  package init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// The 16 bytes of the wire.
  package var bytes: Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }
}

extension RequestID: CustomStringConvertible {
  package var description: String { uuid.uuidString.lowercased() }
}
