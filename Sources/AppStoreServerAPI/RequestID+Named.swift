import Foundation
import Wire

extension RequestID {
  /// The same for the same text: what a client names, whatever process it asks, is one request.
  init(named text: String) {
    func hash(_ start: UInt64) -> UInt64 {
      text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
    var bytes = Data()
    for start in [14_695_981_039_346_656_037, 0x9E37_79B9_7F4A_7C15] as [UInt64] {
      withUnsafeBytes(of: hash(start).bigEndian) { bytes.append(contentsOf: $0) }
    }
    self.init(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
  }
}
