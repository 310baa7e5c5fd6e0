/// A failed step for people.
package enum FailureText {
  /// What failed and where, what was there instead, and the last events of the accounts concerned; nothing for a step
  /// that went well.
  package static func lines(_ outcome: StepOutcome, file: String) -> [String] {
    guard let failure = outcome.failure else { return [] }
    let place = outcome.line.map { "\(file):\($0): step \(outcome.number)" } ?? file
    var lines = ["\(place): \(outcome.text): \(failure.message)"]
    lines += failure.seen.map { "  instead: \($0)" }
    if !failure.timeline.isEmpty { lines.append("  the last events:") }
    return lines + failure.timeline.map { "    \($0.text)" }
  }
}
