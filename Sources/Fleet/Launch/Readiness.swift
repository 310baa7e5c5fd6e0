import Dispatch
import Foundation
import Glibc

/// How a launcher learns that a node is ready: a FIFO in the run folder, into which the node writes a line of JSON.
struct Readiness {
  let path: String

  init(folder: RunFolder, process: String) throws(FleetError) {
    path = "\(folder.path)/\(process).ready"
    unlink(path)
    guard mkfifo(path, 0o600) == 0 else {
      throw FleetError("cannot make the FIFO '\(path)': \(String(cString: strerror(errno)))")
    }
  }

  /// What the node said. Ends early, with nothing, when the task is cancelled.
  func line() async throws(FleetError) -> Data {
    // Opened for writing too, so that opening does not wait for the writer, and the end of the writer is no event: a
    // source whose other end has gone wakes up all the time, and may crash Dispatch when it is cancelled meanwhile.
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FleetError("cannot read the FIFO '\(path)': \(String(cString: strerror(errno)))")
    }
    defer { unlink(path) }
    let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { continuation.yield(Data(buffer.prefix(count))) }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    defer { source.cancel() }
    var said = Data()
    for await chunk in chunks {
      said += chunk
      if said.last == UInt8(ascii: "\n") { break }
    }
    return said
  }
}

/// Why a fleet could not be started or used, in one sentence for a person.
package struct FleetError: Error, Hashable, Sendable, CustomStringConvertible {
  package var message: String
  package init(_ message: String) { self.message = message }
  package var description: String { message }
}
