import Fleet

extension ChildProcess.Configuration {
  /// Runs a script in `/bin/sh`.
  static func shell(
    _ script: String, output: Output = .discarded, ownProcessGroup: Bool = false, lifeline: Lifeline? = nil
  ) -> ChildProcess.Configuration {
    ChildProcess.Configuration(
      executable: "/bin/sh", arguments: ["-c", script], environment: ["PATH": "/usr/bin:/bin"], output: output,
      ownProcessGroup: ownProcessGroup, lifeline: lifeline)
  }
}
