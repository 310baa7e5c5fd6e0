import Glibc

/// Why a process could not be started or watched, in one sentence for a person.
package struct ChildProcessError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// The executable, or the interpreter that it names, is missing or may not be executed.
    case notExecutable
    /// The log file cannot be opened.
    case unwritableLog
    /// The system has no file descriptors, processes or memory left.
    case outOfResources
    /// `STOREFLEET_LIFELINE` does not name an inherited pipe.
    case noLifeline
    /// Anything else.
    case failed
  }

  package var code: Code
  /// What, where, why, and what to do.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// The error for a failed system call; `action` completes "cannot …".
  package static func system(_ action: String, errno number: Int32, code: Code = .failed) -> ChildProcessError {
    let reason = String(cString: strerror(number))
    switch number {
    case EMFILE, ENFILE:
      return ChildProcessError(
        .outOfResources, "cannot \(action): \(reason); raise the limit of open files ('ulimit -n')")
    case EAGAIN, ENOMEM:
      return ChildProcessError(
        .outOfResources, "cannot \(action): \(reason); raise the limit of processes ('ulimit -u') or start fewer")
    default:
      return ChildProcessError(code, "cannot \(action): \(reason)")
    }
  }
}
