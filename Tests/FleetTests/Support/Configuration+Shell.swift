import Fleet
import Foundation
import Launch

extension ChildProcess.Configuration {
  /// Runs a script in `/bin/sh`.
  static func shell(
    _ script: String, output: Output = .discarded, ownProcessGroup: Bool = false, lifeline: Lifeline? = nil
  ) -> ChildProcess.Configuration {
    ChildProcess.Configuration(
      executable: "/bin/sh", arguments: ["-c", script], environment: path, output: output,
      ownProcessGroup: ownProcessGroup, lifeline: lifeline)
  }

  /// Runs a Python script, for what a shell does not do reliably.
  static func python(_ script: String, _ arguments: String..., output: Output) -> ChildProcess.Configuration {
    ChildProcess.Configuration(
      executable: "/usr/bin/env", arguments: ["python3", "-c", script] + arguments, environment: path, output: output,
      lifeline: nil)
  }

  private static var path: [String: String] {
    ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
  }
}
