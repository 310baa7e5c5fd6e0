extension JSONParser {
  /// Reads a string from its opening quote to the same quote.
  mutating func string() throws(JSONSyntaxError) -> String {
    let opening = scanner.position
    let quote = scanner.peek
    scanner.advance()
    var bytes: [UInt8] = []
    while let byte = scanner.peek, byte != quote {
      switch byte {
      case UInt8(ascii: "\\"):
        let scalars = try escape()
        bytes += Array(scalars.utf8)
      case 0..<0x20:
        throw scanner.unexpected(expected: "a closing quote on the same line")
      default:
        bytes.append(byte)
        scanner.advance()
      }
    }
    guard scanner.peek == quote else {
      throw JSONSyntaxError(position: opening, found: "a string without an end", expected: "a closing quote")
    }
    scanner.advance()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads a backslash and what it stands for; nothing for a backslash at the end of a line, which continues it.
  private mutating func escape() throws(JSONSyntaxError) -> String {
    let position = scanner.position
    scanner.advance()
    let letter = scanner.peek
    if scanner.takeLineBreak() { return "" }
    scanner.advance()
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "'"): return "'"
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "v"): return "\u{B}"
    case UInt8(ascii: "u"): return String(try unicodeScalar(position))
    default:
      throw JSONSyntaxError(
        position: position, found: "an unknown escape", expected: "an escape such as \\n or \\u00e9")
    }
  }

  /// Reads the digits of `\uXXXX`, and of the second half where the first is half of a pair.
  private mutating func unicodeScalar(_ position: SourcePosition) throws(JSONSyntaxError) -> Unicode.Scalar {
    var units = scanner.takeHexDigits(count: 4).map { [UInt16($0)] } ?? []
    if let first = units.first, UTF16.isLeadSurrogate(first), scanner.take("\\"), scanner.take("u"),
      let second = scanner.takeHexDigits(count: 4)
    {
      units.append(UInt16(second))
    }
    var decoder = UTF16()
    var iterator = units.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator), iterator.next() == nil else {
      throw JSONSyntaxError(
        position: position, found: "a broken \\u escape", expected: "four hexadecimal digits, or a surrogate pair")
    }
    return scalar
  }
}
