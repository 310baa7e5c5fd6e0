import Foundation

/// Writes messages to standard error, one line each.
enum LogOutput {
  /// From `STOREFLEET_LOG_LEVEL` (`debug`, `info`, `notice`, `error`, `fault`); everything without it, as in Xcode.
  static let leastRank: Int = {
    let name = ProcessInfo.processInfo.environment["STOREFLEET_LOG_LEVEL"]
    let levels: [OSLogType] = [.debug, .info, .default, .error, .fault]
    return levels.first { $0.name == name }?.rank ?? 0
  }()

  /// Whether private values are written too: `STOREFLEET_LOG_PRIVATE=1`.
  static let showsPrivateValues = ProcessInfo.processInfo.environment["STOREFLEET_LOG_PRIVATE"] == "1"

  static func line(_ message: String, _ type: OSLogType, _ log: OSLog) -> String {
    let place = [log.subsystem, log.category].filter { !$0.isEmpty }.joined(separator: ":")
    // One line a message, whatever is in it.
    let text = message.replacingOccurrences(of: "\n", with: "\\n")
    return place.isEmpty ? "\(type.name) \(text)\n" : "\(type.name) [\(place)] \(text)\n"
  }

  static func write(_ message: String, _ type: OSLogType, _ log: OSLog) {
    guard log.isEnabled(type: type) else { return }
    // In one call, so that lines of several threads do not mix. A closed standard error loses the message.
    try? FileHandle.standardError.write(contentsOf: Data(line(message, type, log).utf8))
  }
}
