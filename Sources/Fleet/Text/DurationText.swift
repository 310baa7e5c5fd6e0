/// Durations as people write them: `250ms`, `10s`, `1.5h`, `2h30m`, `3d`.
///
/// Units are `ms`, `s`, `m`, `h`, `d` and `w`; several parts add up, the larger unit first. A bare `0` needs no unit.
package enum DurationText {
  /// What is wrong with a text, and what was expected.
  package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String
    package var description: String { message }
  }

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]
  private static let expectation = "write a duration like 250ms, 10s, 2h30m or 3d"

  /// Reads a duration, exact to the millisecond.
  package static func parse(_ text: String) throws(Malformed) -> Duration {
    if text == "0" { return .zero }
    guard !text.isEmpty else { throw Malformed(message: "the duration is empty: \(expectation)") }
    if text.hasPrefix("-") { throw Malformed(message: "'\(text)' is negative: a duration cannot be") }
    var rest = text[...]
    var total: Int64 = 0
    var smallestUnit = -1
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(number.count)
      let name = rest.prefix { !($0.isASCII && ($0.isNumber || $0 == ".")) }
      rest = rest.dropFirst(name.count)
      guard !number.isEmpty else { throw Malformed(message: "'\(text)' is no duration: \(expectation)") }
      guard !name.isEmpty else { throw Malformed(message: "'\(text)' has a number without a unit: \(expectation)") }
      guard let unit = units.firstIndex(where: { $0.name == name }) else {
        throw Malformed(message: "'\(text)' has the unknown unit '\(name)': use ms, s, m, h, d or w")
      }
      guard unit > smallestUnit else {
        throw Malformed(message: "'\(text)' has its units out of order: write the larger one first, each once")
      }
      smallestUnit = unit
      let part = try milliseconds(number, unit: units[unit].milliseconds, in: text)
      let (sum, overflow) = total.addingReportingOverflow(part)
      guard !overflow else { throw Malformed(message: "'\(text)' is too long") }
      total = sum
    }
    return .milliseconds(total)
  }

  /// As `parse`, with a minus in front of what is negative.
  package static func parseSigned(_ text: String) throws(Malformed) -> Duration {
    text.hasPrefix("-") ? try .zero - parse(String(text.dropFirst())) : try parse(text)
  }

  /// As `format`, with a minus in front of what is negative.
  package static func formatSigned(_ duration: Duration) -> String {
    duration < .zero ? "-" + format(.zero - duration) : format(duration)
  }

  private static func milliseconds(_ number: Substring, unit: Int64, in text: String) throws(Malformed) -> Int64 {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else {
      throw Malformed(message: "'\(text)' has a number that is none, '\(number)': \(expectation)")
    }
    // Beyond these lengths a number does not fit, or means less than a millisecond.
    guard let whole = Int64(parts[0]) else { throw Malformed(message: "'\(text)' is too long") }
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
    guard !overflow else { throw Malformed(message: "'\(text)' is too long") }
    guard parts.count == 2 else { return product }
    var scale: Int64 = 1
    for _ in parts[1].prefix(10) { scale *= 10 }
    guard parts[1].count <= 9, let fraction = Int64(parts[1]), (fraction * unit).isMultiple(of: scale) else {
      throw Malformed(message: "'\(text)' is finer than a millisecond: round it")
    }
    let (sum, overflows) = product.addingReportingOverflow(fraction * unit / scale)
    guard !overflows else { throw Malformed(message: "'\(text)' is too long") }
    return sum
  }

  /// Writes a duration the way `parse` reads it; what is finer than a millisecond is cut off.
  package static func format(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let (whole, tooLong) = seconds.multipliedReportingOverflow(by: 1_000)
    let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    var rest = tooLong || overflow ? Int64.max : sum
    guard duration > .zero, rest > 0 else { return "0" }
    var text = ""
    for unit in units where rest >= unit.milliseconds {
      text += "\(rest / unit.milliseconds)\(unit.name)"
      rest %= unit.milliseconds
    }
    return text
  }
}
