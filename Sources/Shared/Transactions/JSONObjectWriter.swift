package import Foundation

/// Writes one JSON object, key after key, and objects within it.
///
/// Every delivery to every device signs a payload of its own, and every renewal of a clock jump is stored and published:
/// `JSONEncoder` takes seven times as long.
///
/// The buffer is its own, since an array checks each byte that is appended, and its bytes would be copied into the data.
package struct JSONObjectWriter: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 1
  /// Whether times have half a millisecond behind them. Xcode signs its times as they are, with fractions; the store
  /// counts whole milliseconds, and a reader that takes nothing else shall fail in the test.
  package var timesHaveFractions = false

  /// - Parameter capacity: The expected length in bytes, so that the buffer need not grow.
  package init(capacity: Int) {
    self.capacity = max(16, capacity)
    start = .allocate(capacity: self.capacity)
    start[0] = UInt8(ascii: "{")
  }

  deinit { start.deallocate() }

  /// The object written so far, closed.
  package consuming func finish() -> Data {
    append(UInt8(ascii: "}"))
    return Data(bytes: start, count: count)
  }

  // MARK: The buffer

  /// Makes room for `more` bytes.
  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count += 1
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.baseAddress else { return }
    reserve(bytes.count)
    (start + count).update(from: first, count: bytes.count)
    count += bytes.count
  }

  private mutating func append(_ text: StaticString) { text.withUTF8Buffer { append($0) } }

  /// Where the next byte comes.
  package var position: Int { count }

  // MARK: Values

  // Nil writes nothing: the store leaves out the keys that do not apply.

  package mutating func put(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    putKey(key)
    putString(value)
  }

  package mutating func put(_ key: StaticString, _ value: Int64?) {
    guard let value else { return }
    putKey(key)
    if value < 0 { append(UInt8(ascii: "-")) }
    putDigits(value.magnitude)
  }

  package mutating func put(_ key: StaticString, _ value: UInt64?) {
    guard let value else { return }
    putKey(key)
    putDigits(value)
  }

  package mutating func put(_ key: StaticString, _ value: Int?) { put(key, value.map(Int64.init)) }

  package mutating func put(_ key: StaticString, _ value: StoreTime?) {
    guard let value else { return }
    put(key, value.milliseconds)
    if timesHaveFractions { append(".5") }
  }

  package mutating func put(_ key: StaticString, _ value: TransactionID?) {
    guard let value else { return }
    putKey(key)
    putQuoted(value)
  }

  package mutating func put(_ key: StaticString, _ value: UUID?) {
    guard let value else { return }
    putKey(key)
    append(UInt8(ascii: "\""))
    withUnsafeBytes(of: value.uuid) { uuid in
      for (place, byte) in uuid.enumerated() {
        if place == 4 || place == 6 || place == 8 || place == 10 { append(UInt8(ascii: "-")) }
        append(Self.upperHexDigit(byte >> 4))
        append(Self.upperHexDigit(byte & 15))
      }
    }
    append(UInt8(ascii: "\""))
  }

  package mutating func put(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    putKey(key)
    append(value ? "true" : "false")
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

  /// A value that is JSON already.
  package mutating func put(_ key: StaticString, written json: Data) {
    putKey(key)
    json.withUnsafeBytes { bytes in bytes.withMemoryRebound(to: UInt8.self) { append($0) } }
  }

  /// A list, whose elements `body` adds.
  package mutating func put(_ key: StaticString, list body: (inout JSONObjectWriter) -> Void) {
    putKey(key)
    append(UInt8(ascii: "["))
    body(&self)
    append(UInt8(ascii: "]"))
  }

  /// An object in a list.
  package mutating func add(object body: (inout JSONObjectWriter) -> Void) {
    if start[count - 1] != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
    putObject(body)
  }

  /// Writes an empty list too.
  package mutating func putAll<Value>(
    _ key: StaticString, objects values: [Value], _ body: (Value, inout JSONObjectWriter) -> Void
  ) {
    put(key, list: { list in for value in values { list.add { body(value, &$0) } } })
  }

  /// An object in an object whose keys are transaction ids.
  package mutating func put(_ id: TransactionID, object body: (inout JSONObjectWriter) -> Void) {
    if start[count - 1] != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    putQuoted(id)
    append(UInt8(ascii: ":"))
    putObject(body)
  }

  private mutating func putObject(_ body: (inout JSONObjectWriter) -> Void) {
    append(UInt8(ascii: "{"))
    body(&self)
    append(UInt8(ascii: "}"))
  }

  private mutating func putList<Value>(
    _ key: StaticString, _ values: [Value], _ body: (Value, inout JSONObjectWriter) -> Void
  ) {
    putKey(key)
    append(UInt8(ascii: "["))
    for (place, value) in values.enumerated() {
      if place > 0 { append(UInt8(ascii: ",")) }
      body(value, &self)
    }
    append(UInt8(ascii: "]"))
  }

  /// Keys are written in the code and need no escapes.
  private mutating func putKey(_ key: StaticString) {
    // What is open is an object; only its first key has no comma before it.
    if start[count - 1] != UInt8(ascii: "{") { append(UInt8(ascii: ",")) }
    append(UInt8(ascii: "\""))
    append(key)
    append(UInt8(ascii: "\""))
    append(UInt8(ascii: ":"))
  }

  private mutating func putQuoted(_ id: TransactionID) {
    append(UInt8(ascii: "\""))
    putDigits(id.rawValue)
    append(UInt8(ascii: "\""))
  }

  private mutating func putDigits(_ value: UInt64) {
    // The last digit comes first: written from the end of as much room as the longest number needs.
    let longest = 20
    reserve(longest)
    var place = longest
    var rest = value
    repeat {
      place -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      start[count + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
    if place > 0 {
      for digit in 0..<(longest - place) { start[count + digit] = start[count + place + digit] }
    }
    count += longest - place
  }

  private mutating func putString(_ text: String) {
    var text = text
    append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      if isPlain { append(utf8) } else { for byte in utf8 { putEscaped(byte) } }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func putEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      append(UInt8(ascii: "\\"))
      append(byte)
    case 0..<0x20:
      append("\\u00")
      append(Self.hexDigits[Int(byte >> 4)])
      append(Self.hexDigits[Int(byte & 15)])
    default: append(byte)
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)

  private static func upperHexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
