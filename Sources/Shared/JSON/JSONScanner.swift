/// Walks over the bytes of a JSON text and knows the line and column it is at.
struct JSONScanner {
  private let bytes: [UInt8]
  private(set) var index = 0
  private var line = 1
  private var column = 1

  /// - Parameter bytes: valid UTF-8; a byte order mark at the start is skipped.
  init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  var position: SourcePosition { SourcePosition(line: line, column: column) }

  mutating func advance() {
    guard let byte = peek else { return }
    index += 1
    let endsLine = byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && peek != UInt8(ascii: "\n"))
    if endsLine {
      line += 1
      column = 1
    } else if peek.map({ $0 & 0xC0 != 0x80 }) ?? true {
      // The next byte starts a new scalar, so this one ended a scalar.
      column += 1
    }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    advance()
    return true
  }

  /// Passes `\n`, `\r` or `\r\n`.
  mutating func takeLineBreak() -> Bool {
    let hasReturn = take("\r")
    return take("\n") || hasReturn
  }

  /// Passes decimal digits and returns how many.
  mutating func takeDigits() -> Int {
    let start = index
    while let byte = peek, byte.isDigit { advance() }
    return index - start
  }

  mutating func takeHexDigits(count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = peek.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else { return nil }
      value = value * 16 + digit
      advance()
    }
    return value
  }

  /// Passes a name such as `true` or a key without quotes.
  mutating func takeWord() -> String {
    let start = index
    while let byte = peek, byte.isWordStart || byte.isDigit { advance() }
    return text(from: start)
  }

  func text(from start: Int) -> String { String(decoding: bytes[start..<index], as: UTF8.self) }

  /// Passes white space and comments.
  mutating func skipSpace() throws(JSONSyntaxError) {
    while let byte = peek {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): advance()
      case UInt8(ascii: "/"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(JSONSyntaxError) {
    let opening = position
    advance()
    if take("/") {
      while let byte = peek, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { advance() }
    } else if take("*") {
      while let byte = peek {
        advance()
        if byte == UInt8(ascii: "*"), take("/") { return }
      }
      throw JSONSyntaxError(position: opening, found: "a comment without an end", expected: "*/")
    } else {
      throw JSONSyntaxError(position: opening, found: "'/'", expected: "a comment or a JSON value")
    }
  }

  /// The error for a byte that cannot stand here.
  func unexpected(expected: String) -> JSONSyntaxError {
    let found =
      switch peek {
      case nil: "the end of the file"
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): "the end of the line"
      case let byte? where (0x21..<0x7F).contains(byte): "'\(Unicode.Scalar(byte))'"
      case let byte? where byte < 0x80: "a control character"
      default: "a character outside quotes"
      }
    return JSONSyntaxError(position: position, found: found, expected: expected)
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isNumberStart: Bool {
    isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "+") || self == UInt8(ascii: ".")
  }

  /// A letter, `_`, `$`, or a byte of a scalar beyond ASCII.
  var isWordStart: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self == UInt8(ascii: "_")
      || self == UInt8(ascii: "$") || self >= 0x80
  }
}
