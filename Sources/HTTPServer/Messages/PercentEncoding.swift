/// Strict decoding of percent-encoded text (RFC 3986 §2.1).
enum PercentEncoding {
  /// The text that the bytes stand for; nil if a `%` is not followed by two hexadecimal digits, if the result is not
  /// UTF-8, or if it has a NUL, at which C code would stop reading.
  ///
  /// - Parameter plusIsSpace: As in queries that forms and most libraries write.
  static func decode(_ text: Substring.UTF8View, plusIsSpace: Bool = false) -> String? {
    let percent = UInt8(ascii: "%")
    let plus = UInt8(ascii: "+")
    guard text.contains(where: { $0 == percent || $0 == 0 || $0 >= 0x80 || (plusIsSpace && $0 == plus) }) else {
      return String(Substring(text))
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case percent:
        guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      case plus where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
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
