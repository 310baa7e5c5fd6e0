import Foundation
import Glibc
import Synchronization

/// The lines that a process writes into a FIFO, as they come.
///
/// Read on a thread of its own, and not by a dispatch source: closing what one watched can crash the process on Linux
/// (swift-corelibs-libdispatch issue 949).
final class LineReader: Sendable {
  let path: String
  private let lines: AsyncStream<String>
  private let descriptor: Int32
  private let end: End

  /// Shared with the thread, which must not keep the reader alive.
  private final class End: Sendable {
    let isNear = Atomic(false)
  }

  init(fifo path: String) throws {
    self.path = path
    // Opened for writing too: that waits for no writer, and the end of the writer is no end of file.
    guard mkfifo(path, 0o600) == 0, case let descriptor = open(path, O_RDWR | O_CLOEXEC), descriptor >= 0
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let end = End()
    self.lines = lines
    self.descriptor = descriptor
    self.end = end
    Thread.detachNewThread {
      LineReader.read(descriptor, until: end, into: continuation)
      close(descriptor)
    }
  }

  private static func read(
    _ descriptor: Int32, until end: End, into lines: AsyncStream<String>.Continuation
  ) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var unended = Data()
    while !end.isNear.load(ordering: .acquiring) {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return }
      unended += buffer.prefix(count)
      while let newline = unended.firstIndex(of: UInt8(ascii: "\n")) {
        lines.yield(String(decoding: unended[..<newline], as: UTF8.self))
        unended = Data(unended[(newline + 1)...])
      }
    }
  }

  deinit {
    end.isNear.store(true, ordering: .releasing)
    // Wakes the thread, which closes the descriptor.
    _ = write(descriptor, "\n", 1)
  }

  /// The first line from here on that `isWanted`; what comes before it is passed over.
  func first(_ what: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String {
    let lines = lines
    return try await inTime("a line with \(what)") {
      for await line in lines where isWanted(line) { return line }
      throw Overdue(description: "the output ended without a line with \(what)")
    }
  }
}
