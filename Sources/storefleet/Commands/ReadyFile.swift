import Foundation
import Launch

/// How a node tells its launcher that it is ready: `--ready-file` names a file, or a FIFO that the launcher reads.
struct ReadyFile {
  static let option = Option(
    "ready-file", value: "FILE", help: "write a line of JSON here once ready; may be a FIFO")

  private let path: String?

  init(_ arguments: Arguments) { path = arguments.value(ReadyFile.option) }

  /// Says it: whole, or not at all.
  func announce(_ values: [String: String]) throws {
    guard let path else { return }
    do { try ReadyWord.say(values, in: path) } catch {
      throw CommandFailure(
        "cannot say in '\(path)' that the node is ready: \(error.localizedDescription)", exitCode: .unreachable)
    }
  }
}

/// A line of a node's log: standard error, with the time.
enum LogLine {
  static func write(_ text: String) {
    StandardError.write("\(Date().formatted(.iso8601.time(includingFractionalSeconds: true))) \(text)\n")
  }
}

/// Waiting for the end.
enum Cancellation {
  /// Returns when the task is cancelled: at Ctrl-C, or when the launcher asks the process to end.
  static func wait() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
  }
}
