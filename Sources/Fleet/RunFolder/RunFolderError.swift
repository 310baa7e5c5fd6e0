import Glibc

/// Why a fleet's folder cannot be made, found or used, in one sentence for a person.
package struct RunFolderError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// No fleet is running, or none of that name.
    case notFound
    /// Several are running and none was named.
    case ambiguous
    /// A fleet of that name is running already.
    case taken
    /// The name or path cannot be one.
    case badName
    /// The folder belongs to someone else or lets others in.
    case unsafe
    /// A file is missing or not what it should be.
    case damaged
    /// The system refused to read or write.
    case failed
  }

  package var code: Code
  /// What, where, what was expected, what to do.
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  /// The error for a failed system call; `action` completes "cannot …".
  static func system(_ action: String, errno number: Int32) -> RunFolderError {
    RunFolderError(.failed, "cannot \(action): \(String(cString: strerror(number)))")
  }
}
