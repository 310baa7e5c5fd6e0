/// Strict decoding of percent-encoded text (RFC 3986 §2.1).
enum PercentEncoding {
  /// The text that the bytes stand for; nil if a `%` is not followed by two hexadecimal digits, if the result is not
  /// UTF-8, or if it has a NUL, at which C code would stop reading.
  ///
  /// - Parameter plusIsSpace: As in queries that forms and most libraries write.
  static func decode(_ text: Slice<UnsafeBufferPointer<UInt8>>, plusIsSpace: Bool = false) -> String? {
    let bytes = UnsafeBufferPointer(rebasing: text)
    let percent = UInt8(ascii: "%")
    let plus = UInt8(ascii: "+")
    // Plain ASCII, which is what nearly all texts are, stands for itself.
    var isPlain = true
    for byte in bytes where byte == percent || byte == 0 || byte >= 0x80 || (plusIsSpace && byte == plus) {
      isPlain = false
    }
    if isPlain { return String(decoding: bytes, as: UTF8.self) }

    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case percent:
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
        decoded.append(high << 4 | low)
      case plus where plusIsSpace: decoded.append(UInt8(ascii: " "))
      default: decoded.append(byte)
      }
    }
    guard !decoded.contains(0) else { return nil }
    return String(validating: decoded, as: UTF8.self)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
