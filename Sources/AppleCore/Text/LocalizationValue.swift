public import Foundation

// Foundation on Linux has `NSLocalizedString`, and not what has taken its place.

extension String {
  /// A text that a bundle may have a translation of: its key, and the values that are interpolated in it.
  ///
  /// Apple: https://developer.apple.com/documentation/swift/string/localizationvalue
  public struct LocalizationValue: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// As in tables of strings: values stand as `%@`, `%lld` and `%lf`.
    let key: String
    let arguments: [String]
    /// Without any translation.
    let text: String

    public init(_ value: String) {
      key = value
      arguments = []
      text = value
    }

    public init(stringLiteral value: String) { self.init(value) }

    public init(stringInterpolation: StringInterpolation) {
      key = stringInterpolation.key
      arguments = stringInterpolation.arguments
      text = stringInterpolation.text
    }

    public struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var key = ""
      fileprivate var arguments: [String] = []
      fileprivate var text = ""

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ literal: String) {
        key += literal.replacing("%", with: "%%")
        text += literal
      }

      private mutating func append(_ argument: String, as specifier: String) {
        key += specifier
        arguments.append(argument)
        text += argument
      }

      public mutating func appendInterpolation(_ string: String) { append(string, as: "%@") }
      public mutating func appendInterpolation(_ string: Substring) { append(String(string), as: "%@") }
      public mutating func appendInterpolation(_ number: some BinaryInteger) { append("\(number)", as: "%lld") }
      public mutating func appendInterpolation(_ number: Double) { append("\(number)", as: "%lf") }
      public mutating func appendInterpolation(_ number: Float) { append("\(number)", as: "%f") }
      public mutating func appendInterpolation(_ value: some CustomStringConvertible) { append("\(value)", as: "%@") }

      public mutating func appendInterpolation<Style: FormatStyle>(_ value: Style.FormatInput, format: Style)
      where Style.FormatOutput == String {
        append(format.format(value), as: "%@")
      }

      public mutating func appendInterpolation(_ value: some CVarArg, specifier: String) {
        append(String(format: specifier, value), as: specifier)
      }
    }
  }
}

extension String.LocalizationValue {
  /// The values put where a translation wants them: in their order, or by numbers as in `%2$@`.
  func text(of translation: String) -> String {
    guard translation != key else { return text }
    var rest = arguments[...]
    return translation.replacing(/%(?:%|(?:(\d+)\$)?[-+ 0#]*\d*(?:\.\d+)?(?:hh|h|ll|l|q|z|t|j)?[@a-zA-Z])/) { match in
      if match.output.0 == "%%" { return "%" }
      if let number = match.output.1.flatMap({ Int($0) }) {
        return arguments.indices.contains(number - 1) ? arguments[number - 1] : ""
      }
      return rest.popFirst() ?? ""
    }
  }
}
