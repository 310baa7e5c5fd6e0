import Foundation

/// Prometheus: the text-based exposition format, version 0.0.4.
package enum PrometheusText {
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  package static func of(_ families: [MetricFamily]) -> String {
    var text = ""
    for family in families where !family.samples.isEmpty {
      text += "# HELP \(family.name) \(escaped(family.help))\n# TYPE \(family.name) \(family.kind.rawValue)\n"
      for sample in family.samples {
        text += family.name + sample.suffix
        if !sample.labels.isEmpty {
          let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
          text += "{" + labels.joined(separator: ",") + "}"
        }
        text += " \(number(sample.value))\n"
      }
    }
    return text
  }

  /// Whole numbers without a fraction, as long as a Double has them exactly.
  static func number(_ value: Double) -> String {
    if let whole = Int64(exactly: value), abs(whole) < 1 << 53 { return String(whole) }
    return switch value {
    case .infinity: "+Inf"
    case -.infinity: "-Inf"
    case let value where value.isNaN: "NaN"
    default: String(value)
    }
  }

  private static func escaped(_ text: String, quotes: Bool = false) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
