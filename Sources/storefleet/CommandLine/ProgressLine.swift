import Foundation

/// The text of a progress line.
struct ProgressLine: Hashable, Sendable {
  private static let barWidth = 24

  let label: String
  let total: Int

  /// From 0 to 100; nothing to do is done.
  func percent(done: Int) -> Int {
    total > 0 ? Int(100 * Double(min(max(done, 0), total)) / Double(total)) : 100
  }

  func text(done: Int, elapsed: Duration, bar: Bool) -> String {
    let percent = percent(done: done)
    let seconds = String(format: "%.1f s", elapsed / .seconds(1))
    var parts = [label]
    if bar {
      let filled = percent * Self.barWidth / 100
      parts.append(String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled))
    }
    parts += ["\(done)/\(total)", "\(percent)%", seconds]
    return parts.joined(separator: "  ")
  }
}
