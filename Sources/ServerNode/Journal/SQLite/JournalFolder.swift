import Foundation

/// The folder that holds a SQLite journal: the database, its log, and the lock that keeps a second process out.
struct JournalFolder {
  let path: String

  var database: String { path + "/journal.sqlite" }
  var log: String { database + "-wal" }
  var lock: String { path + "/journal.lock" }
  /// Where a new database is made before it gets its name, so that a crash never leaves half of one under it.
  var unfinished: String { database + ".new" }

  /// Makes the folder where it is missing, for this user alone.
  func make() throws(JournalError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw JournalError(
          .unwritable,
          "\(path) is a file, but the journal needs a folder there. Move the file away or choose another data folder.")
      }
      return
    }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw JournalError(
        .unwritable,
        "Cannot make the data folder \(path): \(error.localizedDescription) Choose a place that this user may write.")
    }
  }

  /// Whether there is a database to open; false when a new one is to be made. A database that lost its content, or a
  /// log that lost its database, must not be taken for a new journal: SQLite would drop the log or mix the two.
  func hasDatabase() throws(JournalError) -> Bool {
    var status = stat()
    if stat(database, &status) == 0 {
      guard status.st_size > 0 else {
        throw JournalError(
          .corrupt,
          "The journal \(database) is empty, which it never is by itself. Restore it from a backup, or move it and "
            + "its -wal file away to start empty.")
      }
      return true
    }
    guard stat(log, &status) != 0 else {
      throw JournalError(
        .corrupt,
        "\(log) is there, but its journal \(database) is missing. Put the journal back, or move the -wal file away to "
          + "start empty.")
    }
    return false
  }

  func removeUnfinished() {
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + suffix) }
  }

  /// Gives the new database its name, durably.
  func finish() throws(JournalError) {
    guard rename(unfinished, database) == 0 else { throw error(errno, doing: "name the new journal \(database)") }
    try sync()
  }

  /// Brings the names in the folder to the disk.
  private func sync() throws(JournalError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(errno, doing: "open the data folder \(path)") }
    defer { close(descriptor) }
    // Some file systems cannot sync a folder and say so; there the rename is as durable as it gets.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw error(errno, doing: "sync the data folder \(path)")
    }
  }

  func error(_ code: Int32, doing: String) -> JournalError {
    let reason = String(cString: strerror(code))
    return switch code {
    case ENOSPC, EDQUOT:
      JournalError(.full, "Cannot \(doing): \(reason). Free some space and try again.")
    default:
      JournalError(
        .unwritable,
        "Cannot \(doing): \(reason). Choose a data folder that this user may write, on a disk that is writable.")
    }
  }
}
