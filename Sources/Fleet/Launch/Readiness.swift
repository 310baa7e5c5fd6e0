import Foundation
import Glibc

/// How a launcher learns that a node is ready: a FIFO in the run folder, into which the node writes a line of JSON.
struct Readiness {
  let path: String

  init(folder: RunFolder, process: String) throws(FleetError) {
    try self.init(path: "\(folder.path)/\(process).ready")
  }

  init(path: String) throws(FleetError) {
    self.path = path
    unlink(path)
    guard mkfifo(path, 0o600) == 0 else {
      throw FleetError("cannot make the FIFO '\(path)': \(String(cString: strerror(errno)))")
    }
  }

  /// How a process began.
  enum Beginning {
    case ready(Data)
    /// It ended before that: how, and what it wrote last.
    case ended(ExitStatus, lastWords: String)
  }

  /// What the node said. Throws when it ends before that, with the last lines of its log, or takes too long.
  func firstWord(of process: ChildProcess, _ name: String, log: String, patience: Duration) async throws -> Data {
    switch try await beginning(of: process, name, log: log, patience: patience) {
    case .ready(let said): return said
    case .ended(let status, let words): throw FleetError("\(name) ended before it was ready (\(status)): \(words)")
    }
  }

  /// Waits until the process is ready or ends. Throws when it takes too long.
  ///
  /// - Parameter logBegin: where the log of an app begins, which may end in anything; nil for a node, whose last line says
  ///   why it ended.
  func beginning(
    of process: ChildProcess, _ name: String, log: String, logBegin: Int? = nil, patience: Duration
  ) async throws -> Beginning {
    try await withThrowingTaskGroup(of: Beginning?.self) { group in
      group.addTask { .ready(try await line()) }
      group.addTask {
        guard let status = await process.waitUntilExitOrCancellation() else { return nil }
        let words = logBegin.map { FleetError.lastWords(of: log, from: $0) } ?? FleetError.lastLine(of: log)
        return .ended(status, lastWords: words)
      }
      group.addTask {
        try await Task.sleep(for: patience)
        let advice = logBegin == nil ? "" : "is its @main a DeviceApp? "
        throw FleetError("\(name) is not ready after \(DurationText.format(patience)): \(advice)See \(log)")
      }
      defer { group.cancelAll() }
      let beginning = try await group.next() ?? nil
      if case .ready(let said) = beginning, said.isEmpty {
        throw FleetError("\(name) said nothing when it was ready: see \(log)")
      }
      guard let beginning else { throw CancellationError() }
      return beginning
    }
  }

  /// What the node said. Ends early, with nothing, when the task is cancelled.
  func line() async throws(FleetError) -> Data {
    // For writing too, so that opening does not wait for the writer, and so that a cancellation can end the reading.
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FleetError("cannot read the FIFO '\(path)': \(String(cString: strerror(errno)))")
    }
    defer {
      close(descriptor)
      unlink(path)
    }
    let said = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // A thread, and no dispatch source: closing what one watched can crash the process on Linux
        // (swift-corelibs-libdispatch issue 949).
        let thread = Thread { continuation.resume(returning: Readiness.readLine(descriptor)) }
        thread.name = "readiness"
        thread.stackSize = 256 * 1024
        thread.start()
      }
    } onCancel: {
      _ = write(descriptor, "\n", 1)
    }
    return Task.isCancelled ? Data() : said
  }

  private static func readLine(_ descriptor: Int32) -> Data {
    var said = Data()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while said.last != UInt8(ascii: "\n") {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { said += buffer.prefix(count) } else if count == 0 || errno != EINTR { break }
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
