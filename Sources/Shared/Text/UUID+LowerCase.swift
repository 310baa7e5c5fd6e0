package import Foundation

extension UUID {
  /// As names and signed payloads have it: `uuidString` in lower case, without going through it.
  package var lowercaseText: String {
    withUnsafeBytes(of: uuid) { uuid in
      String(unsafeUninitializedCapacity: 36) { text in
        var end = 0
        func put(_ byte: UInt8) {
          text[end] = byte
          end += 1
        }
        for (place, byte) in uuid.enumerated() {
          if place == 4 || place == 6 || place == 8 || place == 10 { put(UInt8(ascii: "-")) }
          put(UUID.digit(byte >> 4))
          put(UUID.digit(byte & 15))
        }
        return end
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
