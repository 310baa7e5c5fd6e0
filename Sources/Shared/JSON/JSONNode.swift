/// A JSON value and where it stands in its file.
package struct JSONNode {
  package enum Value {
    case null
    case bool(Bool)
    /// The number as it is written: a price must not pass through binary floating point.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])
  }

  package let value: Value
  package let position: SourcePosition
  /// Where the key stands that names this value; nil for an element of an array and for the whole file.
  package internal(set) var keyPosition: SourcePosition?

  package var isNull: Bool {
    if case .null = value { true } else { false }
  }

  /// The value as an error message shows it: short, on one line.
  package var summary: String {
    switch value {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let text): JSONNode.escaped(text)
    case .string(let text): JSONNode.quoted(text)
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// `text` in quotes.
  package static func quoted(_ text: String) -> String {
    "\"" + escaped(text) + "\""
  }

  /// `text` shortened, with control characters escaped, so that a file cannot steer the terminal.
  package static func escaped(_ text: String) -> String {
    let limit = 60
    var result = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        result += scalar.escaped(asASCII: true)
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.count > limit ? result + "…" : result
  }
}
