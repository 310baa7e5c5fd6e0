import Fleet
import FleetTesting
import Foundation
import Glibc
import Launch

/// The command line, as a user or a script runs it.
struct Tool: Sendable {
  /// Set by the test script, else beside the tests.
  static let executable: String =
    ProcessInfo.processInfo.environment["STOREFLEET_EXECUTABLE"]
    ?? (ProcessFleet.ownExecutable as NSString).deletingLastPathComponent + "/storefleet"

  struct Outcome: Sendable {
    var status: ExitStatus
    var output: String
    var errors: String
  }

  let workplace: FleetWorkplace

  /// Runs a command to its end.
  func run(_ words: String...) async throws -> Outcome { try await run(words) }

  func run(_ words: [String]) async throws -> Outcome {
    let name = UUID().uuidString
    let output = workplace.path("\(name).out")
    let child = try start(words, output: output, errors: workplace.path("\(name).err"))
    let status = try await end(of: child, words.joined(separator: " "))
    func text(_ ending: String) throws -> String {
      try String(contentsOfFile: workplace.path("\(name).\(ending)"), encoding: .utf8)
    }
    return Outcome(status: status, output: try text("out"), errors: try text("err"))
  }

  /// Starts a command that goes on until it is ended.
  func start(_ words: String..., lifeline: Lifeline? = nil) throws -> RunningTool {
    try start(words, lifeline: lifeline)
  }

  func start(_ words: [String], lifeline: Lifeline? = nil) throws -> RunningTool {
    let name = UUID().uuidString
    let lines = try LineReader(fifo: workplace.path("\(name).out"))
    let errors = workplace.path("\(name).err")
    let process = try start(words, output: lines.path, errors: errors, lifeline: lifeline)
    return RunningTool(process: process, lines: lines, errorsPath: errors)
  }

  /// Waits for the end of a process, and kills one that has none.
  func end(of child: ChildProcess, _ what: String) async throws -> ExitStatus {
    do {
      return try await inTime("the end of 'storefleet \(what)'") {
        guard let status = await child.waitUntilExitOrCancellation() else { throw CancellationError() }
        return status
      }
    } catch {
      child.send(SIGKILL)
      throw error
    }
  }

  /// What is started ends with the tests, even when they are killed.
  private static let testLifeline = Result { try Lifeline() }

  private func start(
    _ words: [String], output: String, errors: String, lifeline: Lifeline? = nil
  ) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment[RunHome.variable] = workplace.home.path
    environment[RunFolder.variable] = nil
    environment["STDERR"] = errors
    // The shell gives standard error a file of its own, and is gone then: the process is the tool's.
    return try ChildProcess.start(
      .init(
        executable: "/bin/sh", arguments: ["-c", #"exec "$0" "$@" 2>>"$STDERR""#, Tool.executable] + words,
        environment: environment, output: .appended(toFileAt: output), ownProcessGroup: true,
        lifeline: try lifeline ?? Tool.testLifeline.get()))
  }
}

/// A command that goes on until it is ended.
final class RunningTool: Sendable {
  let process: ChildProcess
  let lines: LineReader
  private let errorsPath: String

  init(process: ChildProcess, lines: LineReader, errorsPath: String) {
    self.process = process
    self.lines = lines
    self.errorsPath = errorsPath
  }

  // A failed test leaves nobody behind.
  deinit { process.send(SIGKILL) }

  var errors: String { (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? "" }
}
