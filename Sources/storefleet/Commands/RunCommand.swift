import Fleet
import Foundation
import Shared

/// `storefleet run`: plays a scenario on a fleet of its own and says whether every expectation held.
enum RunCommand {
  private static let json = Option(flag: "json", help: "print the outcome as JSON instead of a table")
  private static let name = Option("name", value: "NAME", help: "the fleet's name; the scenario's own without it")
  private static let keepGoing = Option(flag: "keep-going", help: "play the steps after a failed one too")
  private static let keep = Option(flag: "keep", help: "keep the run folder with its logs and data")

  static let command = Command(
    name: "run", summary: "play a scenario on a fleet of its own, and check every device against the ledger",
    operands: [Operand("SCENARIO", help: "a scenario file (JSON5)")],
    options: AppOptions.all + [json, name, keepGoing, keep, WorldOptions.habits],
    examples: [
      .init("storefleet run Scenarios/demo.json5", "plays the demo; exit code 0 if everything agreed"),
      .init("storefleet run Scenarios/family.json5 --habits field", "in a world that behaves as developers report"),
      .init("storefleet run --json --keep broken.json5", "prints the outcome for a program, and keeps the logs"),
    ]
  ) { arguments in
    let said = try AppOptions.read(arguments)
    let habits = try WorldOptions.habitChange(arguments)
    var scenario = try load(arguments.operands[0], app: said.map { ScenarioApp($0) })
    if let habits { scenario.world.habits = (scenario.world.habits ?? HabitChange()).followed(by: habits) }
    return try await play(scenario, app: try said ?? scenario.app.map(executable), arguments)
  }

  private static func play(
    _ scenario: Scenario, app: AppExecutable?, _ arguments: Arguments
  ) async throws -> ExitCode {
    let fleet = try ProcessFleet(
      .init(name: arguments.value(name) ?? fleetName(scenario), world: scenario.world.name, app: app))
    let output = RunOutput(scenario, asJSON: arguments.has(json))
    output.began(folder: fleet.folder.path)
    do {
      let outcome = try await play(scenario, on: fleet, keepGoing: arguments.has(keepGoing), output)
      // What Ctrl-C cut short has no outcome.
      try Task.checkCancellation()
      let keeps = arguments.has(keep) || !outcome.passed
      await fleet.stop(keepingFolder: keeps)
      try output.ended(outcome, logs: keeps ? fleet.folder.path : nil)
      return outcome.passed ? .ok : .failed
    } catch {
      // A failure names a log.
      await fleet.stop(keepingFolder: arguments.has(keep) || error is CommandFailure)
      throw error
    }
  }

  /// Reads a scenario and its catalogue; what is wrong with them is printed in full.
  ///
  /// - Parameter app: runs instead of the one that the scenario names.
  static func load(_ path: String, app: ScenarioApp? = nil) throws -> Scenario {
    let url = URL(filePath: path)
    let fixtures = url.deletingLastPathComponent().appending(path: "../Fixtures").standardizedFileURL
    do { return try Scenario.load(contentsOf: url, fixtures: fixtures, app: app) } catch {
      throw CommandFailure("\(error)", exitCode: .failed)
    }
  }

  private static func executable(_ app: ScenarioApp) throws -> AppExecutable {
    do throws(FleetError) {
      let executable = try AppExecutable(path: app.path, devicesPerProcess: app.devicesPerProcess)
      AppOptions.note(executable)
      return executable
    } catch {
      throw CommandFailure(error.message, exitCode: .failed)
    }
  }

  /// The scenario's file name, made a name that is free: several fleets run side by side.
  private static func fleetName(_ scenario: Scenario) -> String {
    let stem = URL(filePath: scenario.file).deletingPathExtension().lastPathComponent
    let safe = String(stem.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(40))
    return "\(safe)-\(ProcessInfo.processInfo.processIdentifier)"
  }

  private static func play(
    _ scenario: Scenario, on fleet: ProcessFleet, keepGoing: Bool, _ output: RunOutput
  ) async throws -> ScenarioOutcome {
    do { try await fleet.startServer() } catch let error as FleetError {
      throw CommandFailure(error.message, exitCode: .unreachable)
    }
    let runner = ScenarioRunner(scenario: scenario, driver: fleet, keepsGoing: keepGoing) { output.progress($0) }
    return try await withThrowingTaskGroup(of: ScenarioOutcome?.self) { group in
      group.addTask { await runner.run() }
      group.addTask {
        // Without this, a node that crashed would show as a deadline that passed, somewhere, much later.
        guard let death = await fleet.unexpectedEnd() else { return nil }
        throw CommandFailure(death, exitCode: .unreachable)
      }
      group.addTask {
        for await crash in fleet.appCrashes { throw CommandFailure(crash, exitCode: .failed) }
        return nil
      }
      defer { group.cancelAll() }
      while let outcome = try await group.next() {
        if let outcome { return outcome }
      }
      throw CancellationError()
    }
  }
}

/// What `run` shows: progress on standard error, the outcome on standard output.
private final class RunOutput: Sendable {
  private let scenario: Scenario
  private let asJSON: Bool

  init(_ scenario: Scenario, asJSON: Bool) {
    self.scenario = scenario
    self.asJSON = asJSON
  }

  func began(folder: String) {
    StandardError.write(
      "Playing \(scenario.file): \(counted(scenario.devices.count, "device")) in \(scenario.clients) \(scenario.app.map { "\($0.name) " } ?? "client ")"
        + "\(scenario.clients == 1 ? "process" : "processes") (\(folder))\n"
    )
  }

  func progress(_ progress: ScenarioProgress) {
    // A step that Ctrl-C cut short did not fail.
    guard case .ended(let outcome) = progress, !Task.isCancelled else { return }
    if isNote(outcome) {
      StandardError.write("\n\(outcome.text)\n")
      return
    }
    let mark = outcome.failure == nil ? "ok  " : "FAIL"
    let seconds = outcome.duration / .seconds(1)
    let time = String(format: "%7.3f s", seconds)
    let number = String(format: "%3d", outcome.number)
    StandardError.write("\(mark) \(time) \(number)  \(outcome.text)\n")
  }

  /// Notes are the headings of the story.
  private func isNote(_ outcome: StepOutcome) -> Bool {
    guard let step = scenario.steps.first(where: { $0.number == outcome.number }), case .note = step.action else {
      return false
    }
    return true
  }

  func ended(_ outcome: ScenarioOutcome, logs: String?) throws {
    let report = ScenarioReport(scenario, outcome)
    if asJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      FileHandle.standardOutput.write(try encoder.encode(report) + Data("\n".utf8))
    } else {
      write(outcome, report)
    }
    if let logs { StandardError.write("The logs and the data are kept in \(logs)\n") }
  }

  private func write(_ outcome: ScenarioOutcome, _ report: ScenarioReport) {
    var table = Table(ReportTable.headers.map { Table.Column($0) })
    for row in ReportTable.rows(report, shortName: scenario.shortName) { table.addRow(row) }
    var lines = [""] + table.lines(fitting: Terminal.width) + [""]
    for failure in outcome.failures { lines += FailureText.lines(failure, file: scenario.file) }
    lines += outcome.ledgerProblems.map { "the ledger contradicts itself: \($0)" }
    if let failure = outcome.checkFailure { lines.append(failure) }
    let played = outcome.steps.count - 1
    lines.append(
      outcome.failures.isEmpty
        ? "\(played) of \(scenario.steps.count) steps played, every expectation held."
        : "\(outcome.failures.count) of \(counted(played, "played step")) failed"
          + (played < scenario.steps.count ? "; \(scenario.steps.count - played) not played." : "."))
    lines.append(AgreementText(scenario: scenario).summary(outcome.agreement))
    FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
  }
}
