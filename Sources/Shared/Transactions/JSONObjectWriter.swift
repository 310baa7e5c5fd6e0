import Foundation

/// Writes one flat JSON object, key after key.
///
/// Every delivery to every device signs a payload of its own, and `JSONEncoder` takes seven times as long for one.
struct JSONObjectWriter {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  /// - Parameter capacity: The expected length in bytes, so that the buffer need not grow.
  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// The object written so far, closed.
  consuming func finish() -> Data {
    bytes.append(UInt8(ascii: "}"))
    return Data(bytes)
  }

  // Nil writes nothing: the store leaves out the keys that do not apply.

  mutating func put(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    putKey(key)
    putString(value)
  }

  mutating func put(_ key: StaticString, _ value: Int64?) {
    guard let value else { return }
    putKey(key)
    bytes.append(contentsOf: String(value).utf8)
  }

  mutating func put(_ key: StaticString, _ value: Int?) { put(key, value.map(Int64.init)) }
  mutating func put(_ key: StaticString, _ value: StoreTime?) { put(key, value?.milliseconds) }
  mutating func put(_ key: StaticString, _ value: TransactionID?) { put(key, value?.description) }

  mutating func put(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    putKey(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  mutating func put(_ key: StaticString, _ values: [String]) {
    guard !values.isEmpty else { return }
    putKey(key)
    for (place, value) in values.enumerated() {
      bytes.append(place == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      putString(value)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Keys are written in the code and need no escapes.
  private mutating func putKey(_ key: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func putString(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(Self.hexDigits[Int(byte >> 4)])
        bytes.append(Self.hexDigits[Int(byte & 15)])
      default:
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}
