import Foundation

/// Keeps a second process, and a second journal of this process, out of a data folder.
///
/// A `flock` on a file of its own rather than SQLite's exclusive locking mode: that one would shut out the read-only
/// checker as well. The kernel lets go of it when the process ends, however it ends. The file stays: removing it
/// would race with the next opener.
final class JournalLock {
  private var descriptor: Int32

  init(_ folder: JournalFolder) throws(JournalError) {
    descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw folder.error(errno, doing: "write \(folder.lock)") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      defer { release() }
      guard code == EWOULDBLOCK else { throw folder.error(code, doing: "lock \(folder.lock)") }
      throw JournalError(
        .busy,
        "The journal in \(folder.path) is in use by \(holder()). Stop that node, or give this one a data folder of its "
          + "own.")
    }
    writeHolder()
  }

  deinit { release() }

  func release() {
    guard descriptor >= 0 else { return }
    // Closing is not enough: a child that is being started holds a copy of the descriptor until it executes its program.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }

  /// Notes who has the lock, for the other's error message; on a full disk it stays unknown.
  private func writeHolder() {
    let text = "\(getpid())\n"
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = text.withCString { bytes in pwrite(descriptor, bytes, text.utf8.count, 0) }
  }

  private func holder() -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    guard let id = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { return "another process" }
    return "process \(id)"
  }
}
