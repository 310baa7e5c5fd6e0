import Foundation

/// What the kernel says of a process.
enum ProcessState: Equatable {
  case running
  case stopped
  /// Ended, and not yet reaped by its parent.
  case zombie
  case gone

  init(of processID: Int32) throws {
    guard let text = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8),
      let state = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst().first
    else {
      self = .gone
      return
    }
    switch state {
    case "T", "t": self = .stopped
    case "Z", "X": self = .zombie
    default: self = .running
    }
  }

  var hasEnded: Bool { self == .zombie || self == .gone }
}
