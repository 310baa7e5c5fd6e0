package import Foundation

/// Writes one JSON object, key after key, and objects within it.
///
/// Every delivery to every device signs a payload of its own, and every renewal of a clock jump is stored and published:
/// `JSONEncoder` takes seven times as long.
package struct JSONObjectWriter {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  /// - Parameter capacity: The expected length in bytes, so that the buffer need not grow.
  package init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// The object written so far, closed.
  package consuming func finish() -> Data {
    bytes.append(UInt8(ascii: "}"))
    return Data(bytes)
  }

  // Nil writes nothing: the store leaves out the keys that do not apply.

  package mutating func put(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    putKey(key)
    putString(value)
  }

  package mutating func put(_ key: StaticString, _ value: Int64?) {
    guard let value else { return }
    putKey(key)
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    putDigits(value.magnitude)
  }

  package mutating func put(_ key: StaticString, _ value: UInt64?) {
    guard let value else { return }
    putKey(key)
    putDigits(value)
  }

  package mutating func put(_ key: StaticString, _ value: Int?) { put(key, value.map(Int64.init)) }
  package mutating func put(_ key: StaticString, _ value: StoreTime?) { put(key, value?.milliseconds) }

  package mutating func put(_ key: StaticString, _ value: TransactionID?) {
    guard let value else { return }
    putKey(key)
    putQuoted(value)
  }

  package mutating func put(_ key: StaticString, _ value: UUID?) {
    guard let value else { return }
    putKey(key)
    bytes.append(UInt8(ascii: "\""))
    withUnsafeBytes(of: value.uuid) { uuid in
      for (place, byte) in uuid.enumerated() {
        if place == 4 || place == 6 || place == 8 || place == 10 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(Self.upperHexDigit(byte >> 4))
        bytes.append(Self.upperHexDigit(byte & 15))
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func put(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    putKey(key)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// An empty list writes nothing.
  package mutating func put(_ key: StaticString, _ values: [String]) {
    guard !values.isEmpty else { return }
    putList(key, values) { value, writer in writer.putString(value) }
  }

  /// Writes an empty list too.
  package mutating func putAll(_ key: StaticString, _ values: [String]) {
    putList(key, values) { value, writer in writer.putString(value) }
  }

  /// Writes an empty list too.
  package mutating func putAll(_ key: StaticString, _ values: [TransactionID]) {
    putList(key, values) { value, writer in writer.putQuoted(value) }
  }

  package mutating func put(_ key: StaticString, object body: (inout JSONObjectWriter) -> Void) {
    putKey(key)
    putObject(body)
  }

  /// Writes an empty list too.
  package mutating func putAll<Value>(
    _ key: StaticString, objects values: [Value], _ body: (Value, inout JSONObjectWriter) -> Void
  ) {
    putList(key, values) { value, writer in writer.putObject { body(value, &$0) } }
  }

  /// An object whose keys are transaction ids.
  package mutating func put<Value>(
    _ key: StaticString, byId values: [(TransactionID, Value)], _ body: (Value, inout JSONObjectWriter) -> Void
  ) {
    putKey(key)
    bytes.append(UInt8(ascii: "{"))
    for (id, value) in values {
      if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
      putQuoted(id)
      bytes.append(UInt8(ascii: ":"))
      putObject { body(value, &$0) }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func putObject(_ body: (inout JSONObjectWriter) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    body(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func putList<Value>(
    _ key: StaticString, _ values: [Value], _ body: (Value, inout JSONObjectWriter) -> Void
  ) {
    putKey(key)
    bytes.append(UInt8(ascii: "["))
    for (place, value) in values.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      body(value, &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Keys are written in the code and need no escapes.
  private mutating func putKey(_ key: StaticString) {
    // What is open is an object; only its first key has no comma before it.
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func putQuoted(_ id: TransactionID) {
    bytes.append(UInt8(ascii: "\""))
    putDigits(id.rawValue)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func putDigits(_ value: UInt64) {
    let start = bytes.count
    var rest = value
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private mutating func putString(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      if isPlain { bytes.append(contentsOf: utf8) } else { for byte in utf8 { putEscaped(byte) } }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func putEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    case 0..<0x20:
      bytes.append(contentsOf: "\\u00".utf8)
      bytes.append(Self.hexDigits[Int(byte >> 4)])
      bytes.append(Self.hexDigits[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)

  private static func upperHexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
