import Foundation
import Glibc

/// Names one process for ever: its number and when it started, since the system gives numbers out again.
package struct ProcessIdentity: Codable, Hashable, Sendable {
  package let processID: Int32
  /// Clock ticks since the machine started, the 22nd field of `/proc/PID/stat`.
  package let startTime: UInt64

  package init(processID: Int32, startTime: UInt64) {
    self.processID = processID
    self.startTime = startTime
  }

  /// The process that has this number now; nil when there is none or it has ended and waits for its parent.
  package init?(runningProcess processID: Int32) {
    guard let stat = FileManager.default.contents(atPath: "/proc/\(processID)/stat"),
      // The second field, the program's name in parentheses, may contain anything.
      let nameEnd = stat.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = String(decoding: stat[stat.index(after: nameEnd)...], as: UTF8.self).split(separator: " ")
    guard fields.count > 19, let startTime = UInt64(fields[19]), fields[0] != "Z", fields[0] != "X" else { return nil }
    self.init(processID: processID, startTime: startTime)
  }

  /// This process; nil only where `/proc` is not mounted.
  package static var current: ProcessIdentity? { ProcessIdentity(runningProcess: getpid()) }

  package var isRunning: Bool { ProcessIdentity(runningProcess: processID) == self }
}
