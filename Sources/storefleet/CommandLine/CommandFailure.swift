/// A command that was understood and could not be done: one sentence (what, where, what to do) and the exit code.
struct CommandFailure: Error, Hashable, Sendable, CustomStringConvertible {
  let message: String
  let exitCode: ExitCode

  init(_ message: String, exitCode: ExitCode = .failed) {
    self.message = message
    self.exitCode = exitCode
  }

  var description: String { message }
}
