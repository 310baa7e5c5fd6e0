/// What the command line returns to the shell.
enum ExitCode: Int32, Sendable {
  case ok = 0
  /// The store refused it, an expectation or a check failed, nothing was due, or the input data is bad.
  case failed = 1
  /// The command line itself is wrong.
  case usage = 2
  /// A fleet could not be started or reached.
  case unreachable = 3
  /// Ctrl-C: 128 and the number of SIGINT, as shells report it.
  case interrupted = 130
}
