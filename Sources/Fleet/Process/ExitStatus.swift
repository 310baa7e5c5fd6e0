import Glibc

/// How a process ended.
package enum ExitStatus: Hashable, Sendable {
  /// It returned from `main` or called `exit` with this code.
  case exited(code: Int32)
  /// This signal ended it.
  case signalled(Int32)
  /// It has ended, and other code of this process took its status, or SIGCHLD is ignored and the kernel dropped it.
  case unknown

  /// Reads what `waitpid` reports for a process that has ended (the macros of `wait(2)`, which Swift does not import).
  package init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exited(code: (waitStatus >> 8) & 0xff) : .signalled(signal)
  }

  package var isSuccess: Bool { self == .exited(code: 0) }

  /// Whether it was asked or made to end, rather than crashed.
  var isFromOutside: Bool { [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains { self == .signalled($0) } }
}

extension ExitStatus: CustomStringConvertible {
  package var description: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .unknown: "ended, how is unknown"
    case .signalled(let signal):
      "ended by signal \(signal)" + (strsignal(signal).map { " (\(String(cString: $0)))" } ?? "")
    }
  }
}
