/// Reads JSON into nodes that know their line and column, which Foundation's decoders on Linux do not report.
///
/// Accepts what people write by hand as well (JSON5): comments, trailing commas, single quotes, keys without quotes,
/// and numbers such as `+1` and `.5`; not hexadecimal numbers, `Infinity` and `NaN`, which no catalogue needs.
/// A key may appear only once in an object: JSON leaves open which of two would count.
package struct JSONParser {
  /// Real files nest eight deep; the limit keeps a hostile one from exhausting the stack.
  static let maximumDepth = 100

  var scanner: JSONScanner

  /// - Parameter bytes: valid UTF-8.
  package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
    var parser = JSONParser(scanner: JSONScanner(bytes: bytes))
    try parser.scanner.skipSpace()
    let node = try parser.value(depth: 0)
    try parser.scanner.skipSpace()
    guard parser.scanner.peek == nil else { throw parser.scanner.unexpected(expected: "the end of the file") }
    return node
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONNode {
    let position = scanner.position
    guard depth < JSONParser.maximumDepth else {
      throw JSONSyntaxError(
        position: position, found: "a value nested too deeply",
        expected: "at most \(JSONParser.maximumDepth) levels of nesting")
    }
    switch scanner.peek {
    case UInt8(ascii: "{"): return JSONNode(value: .object(try object(depth: depth)), position: position)
    case UInt8(ascii: "["): return JSONNode(value: .array(try array(depth: depth)), position: position)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return JSONNode(value: .string(try string()), position: position)
    case let byte? where byte.isNumberStart: return JSONNode(value: .number(try number()), position: position)
    case let byte? where byte.isWordStart:
      switch scanner.takeWord() {
      case "null": return JSONNode(value: .null, position: position)
      case "true": return JSONNode(value: .bool(true), position: position)
      case "false": return JSONNode(value: .bool(false), position: position)
      default: throw JSONSyntaxError(position: position, found: "a word without quotes", expected: "a JSON value")
      }
    default: throw scanner.unexpected(expected: "a JSON value")
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> [String: JSONNode] {
    var members: [String: JSONNode] = [:]
    scanner.advance()
    try scanner.skipSpace()
    while scanner.peek != UInt8(ascii: "}") {
      let position = scanner.position
      let key = try key()
      try scanner.skipSpace()
      guard scanner.take(":") else { throw scanner.unexpected(expected: "':' after the key") }
      try scanner.skipSpace()
      var node = try value(depth: depth + 1)
      node.keyPosition = position
      guard members.updateValue(node, forKey: key) == nil else {
        throw JSONSyntaxError(
          position: position, found: "the key \(JSONNode.quoted(key)) a second time",
          expected: "every key once in an object")
      }
      try scanner.skipSpace()
      guard scanner.take(",") else { break }
      try scanner.skipSpace()
    }
    guard scanner.take("}") else { throw scanner.unexpected(expected: "',' or '}'") }
    return members
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONNode] {
    var elements: [JSONNode] = []
    scanner.advance()
    try scanner.skipSpace()
    while scanner.peek != UInt8(ascii: "]") {
      elements.append(try value(depth: depth + 1))
      try scanner.skipSpace()
      guard scanner.take(",") else { break }
      try scanner.skipSpace()
    }
    guard scanner.take("]") else { throw scanner.unexpected(expected: "',' or ']'") }
    return elements
  }

  private mutating func key() throws(JSONSyntaxError) -> String {
    switch scanner.peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string()
    case let byte? where byte.isWordStart: return scanner.takeWord()
    default: throw scanner.unexpected(expected: "a key or '}'")
    }
  }

  private mutating func number() throws(JSONSyntaxError) -> String {
    let start = scanner.index
    let position = scanner.position
    if !scanner.take("-") { _ = scanner.take("+") }
    let startsWithZero = scanner.peek == UInt8(ascii: "0")
    let whole = scanner.takeDigits()
    var fraction = 0
    if scanner.take(".") { fraction = scanner.takeDigits() }
    var isComplete = whole + fraction > 0 && !(startsWithZero && whole > 1)
    if scanner.take("e") || scanner.take("E") {
      if !scanner.take("-") { _ = scanner.take("+") }
      isComplete = scanner.takeDigits() > 0 && isComplete
    }
    if let next = scanner.peek, next.isWordStart || next.isNumberStart { isComplete = false }
    guard isComplete else {
      throw JSONSyntaxError(position: position, found: "an incomplete number", expected: "a decimal number")
    }
    return scanner.text(from: start)
  }
}
