import Shared

/// One condition under which a load run has failed: `lost>0`, `propagation.p99>250ms`.
package struct FailureCondition: Hashable, Sendable, CustomStringConvertible {
  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    // Longer ones first, so that reading does not stop within one.
    case atLeast = ">="
    case atMost = "<="
    case equal = "=="
    case notEqual = "!="
    case above = ">"
    case below = "<"
  }

  /// What is wrong with a text, in one sentence.
  package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  package var metric: LoadMetric
  package var comparison: Comparison
  /// A count, or microseconds.
  package var limit: Int64
  package var description: String

  /// Reads a list, separated by commas.
  package static func list(_ text: String) throws(Malformed) -> [FailureCondition] {
    var conditions: [FailureCondition] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      conditions.append(try FailureCondition(String(part)))
    }
    return conditions
  }

  package init(_ text: String) throws(Malformed) {
    let compact = text.filter { !$0.isWhitespace }
    guard let start = compact.firstIndex(where: { "<>=!".contains($0) }),
      let comparison = Comparison.allCases.first(where: { compact[start...].hasPrefix($0.rawValue) })
    else {
      throw Malformed(
        description: "'\(compact)' is no condition: write a metric, a comparison and a limit, "
          + "as in lost>0 or propagation.p99>250ms")
    }
    let name = String(compact[..<start])
    guard let metric = LoadMetric(name) else {
      let guess = Spelling.closest(to: name, among: LoadMetric.names).map { ": did you mean '\($0)'?" }
      throw Malformed(
        description: "'\(compact)' has the unknown metric '\(name)'"
          + (guess ?? ": use one of \(LoadMetric.names.joined(separator: ", "))"))
    }
    self.metric = metric
    self.comparison = comparison
    limit = try FailureCondition.limit(
      String(compact[start...].dropFirst(comparison.rawValue.count)), of: metric, in: compact)
    description = compact
  }

  private static func limit(_ text: String, of metric: LoadMetric, in condition: String) throws(Malformed) -> Int64 {
    switch metric {
    case .count(let name):
      guard let number = Int64(text), number >= 0 else {
        throw Malformed(
          description: "'\(condition)' compares a count with '\(text)': write a whole number, as in \(name.rawValue)>0")
      }
      return number
    case .duration:
      do throws(DurationText.Malformed) {
        let milliseconds = try DurationText.parse(text).wholeMilliseconds
        guard milliseconds < 1_000_000_000_000 else { throw DurationText.Malformed(message: "'\(text)' is too long") }
        return milliseconds * 1_000
      } catch {
        throw Malformed(description: "'\(condition)' needs a duration as its limit: \(error.message)")
      }
    }
  }

  /// Whether the condition holds. It does not for a percentile of nothing.
  package func holds(for report: LoadReport) -> Bool {
    guard let value = report.value(of: metric) else { return false }
    return switch comparison {
    case .above: value > limit
    case .atLeast: value >= limit
    case .below: value < limit
    case .atMost: value <= limit
    case .equal: value == limit
    case .notEqual: value != limit
    }
  }
}
