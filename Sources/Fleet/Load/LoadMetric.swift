/// A number of a load run that conditions can be about.
package enum LoadMetric: Hashable, Sendable {
  package enum Count: String, Hashable, Sendable, CaseIterable {
    case lost, duplicates, late, errors
  }

  package enum Span: String, Hashable, Sendable, CaseIterable {
    case propagation, roundtrip
  }

  case count(Count)
  case duration(Span, LatencySummary.Point)

  /// Reads `lost`, `propagation.p99`…; nil for anything else.
  package init?(_ text: String) {
    if let count = Count(rawValue: text) {
      self = .count(count)
      return
    }
    let (name, _, point) = LoadMetric.split(text)
    guard let span = Span(rawValue: name), let point = LatencySummary.Point(rawValue: point) else { return nil }
    self = .duration(span, point)
  }

  private static func split(_ text: String) -> (name: String, dot: Bool, point: String) {
    guard let dot = text.firstIndex(of: ".") else { return (text, false, "") }
    return (String(text[..<dot]), true, String(text[text.index(after: dot)...]))
  }

  package static let names: [String] =
    Count.allCases.map(\.rawValue)
    + Span.allCases.flatMap { span in LatencySummary.Point.allCases.map { "\(span.rawValue).\($0.rawValue)" } }
}
