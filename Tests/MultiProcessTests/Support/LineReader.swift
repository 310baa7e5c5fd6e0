import Dispatch
import Foundation
import Glibc
import Synchronization

/// The lines that a process writes into a FIFO, as they come.
final class LineReader: Sendable {
  let path: String
  private let lines: AsyncStream<String>
  /// Safe since a source may be cancelled from any thread; nothing else is done with it.
  private nonisolated(unsafe) let source: any DispatchSourceRead

  init(fifo path: String) throws {
    self.path = path
    // Opened for writing too: that waits for no writer, and the end of the writer is no event, which Dispatch takes ill.
    guard mkfifo(path, 0o600) == 0, case let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC), descriptor >= 0
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    let unended = Mutex(Data())
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return }
      unended.withLock { data in
        data += buffer.prefix(count)
        while let end = data.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: data[..<end], as: UTF8.self))
          data = Data(data[(end + 1)...])
        }
      }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  /// The first line from here on that `isWanted`; what comes before it is passed over.
  func first(_ what: String, where isWanted: @escaping @Sendable (String) -> Bool) async throws -> String {
    let lines = lines
    return try await inTime("a line with \(what)") {
      for await line in lines where isWanted(line) { return line }
      throw Overdue(description: "the output ended without a line with \(what)")
    }
  }
}
