package import Foundation
import Glibc

/// Files that only their owner can read, written whole or not at all.
///
/// They survive a kill of the writer, not a loss of power: nothing waits for the disk. What a launcher and its processes
/// say to each other is over by then, and a file sync costs as much as all else in the start of a process.
package enum PrivateFile {
  /// Writes a file with mode 0600. A reader sees the old content or the new one, never a part: it is written beside
  /// its place and renamed.
  package static func write(_ data: Data, to path: String) throws(ChildProcessError) {
    let draft = "\(path).\(UUID().uuidString)"
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw .system("write '\(path)'", errno: errno) }
    let failure = writeAll(data, to: file)
    close(file)
    if failure == 0, rename(draft, path) == 0 { return }
    let number = failure == 0 ? errno : failure
    unlink(draft)
    throw .system("write '\(path)'", errno: number)
  }

  /// Returns 0 or the error's number.
  private static func writeAll(_ data: Data, to file: Int32) -> Int32 {
    data.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(file, bytes.baseAddress.map { $0 + written }, bytes.count - written)
        if count >= 0 { written += count } else if errno != EINTR { return errno }
      }
      return 0
    }
  }
}
