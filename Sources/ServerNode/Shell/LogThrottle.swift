/// Keeps a line that may repeat without end from filling the log: connections come and go all day, of health checks for
/// one. The first is said at once; those of the next minute are counted and told with the first one after it.
struct LogThrottle {
  static let quietMilliseconds: Int64 = 60_000

  private var lines: [String: (saidAt: Int64, unsaid: Int)] = [:]

  /// What to log now, if anything. `now` is monotonic, in milliseconds.
  mutating func admit(_ line: String, at now: Int64) -> String? {
    let before = lines[line]
    if let before, now - before.saidAt < LogThrottle.quietMilliseconds {
      lines[line] = (before.saidAt, before.unsaid + 1)
      return nil
    }
    lines[line] = (now, 0)
    let unsaid = before?.unsaid ?? 0
    return unsaid == 0 ? line : "\(line) (\(unsaid) times more since this was last said)"
  }
}
