/// What did not come true in time, with what was seen instead and what had happened.
public struct UnmetExpectation: Error, Sendable, CustomStringConvertible {
  public let expected: String
  /// What was seen last.
  public let seen: String
  public let patience: Duration
  /// The account's history, a line an event; nil when the expectation was about no account.
  public let timeline: String?
  /// Apps that crashed meanwhile, a sentence each.
  public let crashes: [String]
  /// File and line of the expectation.
  public let place: String

  public var description: String {
    var lines = ["\(place): not within \(patience): \(expected)", "last seen: \(seen)"]
    lines += crashes.map { "crashed: \($0)" }
    if let timeline {
      lines.append(timeline.isEmpty ? "nothing ever happened to the account" : "its account:\n\(timeline)")
    }
    return lines.joined(separator: "\n")
  }
}
