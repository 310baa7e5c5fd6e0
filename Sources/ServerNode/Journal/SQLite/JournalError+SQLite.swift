import Foundation
import SQLite

extension JournalError {
  /// `doing` completes "Cannot … the journal": open, read, write.
  init(_ error: SQLiteError, doing: String) {
    let path = error.path
    switch (error.code, error.systemError) {
    case (.full, _), (_, ENOSPC), (_, EDQUOT):
      self.init(
        .full,
        "No space is left on the disk of the journal \(path), so nothing was stored. Free some space and try again.")
    case (.corrupt, _), (.notADatabase, _):
      self.init(
        .corrupt,
        "The file \(path) is damaged or is not a journal (\(error.message)). Restore it from a backup, or move it and "
          + "its -wal file away to start empty.")
    case (.busy, _), (.locked, _):
      self.init(.busy, "Another process has locked the journal \(path). Stop it and try again.")
    case (.cannotOpen, _), (.readOnly, _), (.permission, _), (_, EROFS), (_, EACCES), (_, EPERM):
      self.init(
        .unwritable,
        "Cannot \(doing) the journal \(path): \(error.message). It must be a file that this user may write, on a disk "
          + "that is not read-only.")
    default:
      let cause = error.systemError == 0 ? "" : ", \(String(cString: strerror(error.systemError)))"
      self.init(
        .failed,
        "Cannot \(doing) the journal \(path): \(error.message)\(cause) (SQLite code \(error.extendedCode)). Check the "
          + "disk and try again.")
    }
  }
}

/// Runs `body` and says in a journal's words what SQLite refused.
func inJournal<Result>(_ doing: String, _ body: () throws(SQLiteError) -> Result) throws(JournalError) -> Result {
  do {
    return try body()
  } catch {
    throw JournalError(error, doing: doing)
  }
}
