import Fleet
import Foundation
import Testing
import TestPrograms

/// `storefleet load` with its own processes.
@Suite struct LoadCommandTests {
  /// The executable lies beside the test bundle.
  private static let executable =
    URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "storefleet").path

  private func load(_ arguments: String...) async throws -> (status: Int32, output: Data) {
    let command = [LoadCommandTests.executable, "load", "--name", "load-\(UUID())", "--in-memory"] + arguments
    let result = try await Program.run(command, errors: false)
    return (result.status, Data(result.output.utf8))
  }

  @Test func everyDeliveryArrivesOnceAcrossProcesses() async throws {
    let (status, output) = try await load(
      "--devices", "9", "--devices-per-account", "3", "--clients", "2", "--rate", "30", "--duration", "1s", "--seed",
      "7",
      "--json")
    #expect(status == 0)
    let report = try JSONDecoder().decode(LoadReport.self, from: output)
    #expect((report.purchases, report.errors) == (30, 0))
    #expect((report.owed, report.delivered, report.lost) == (60, 60, 0))
    #expect((report.duplicates, report.late, report.unacknowledged) == (0, 0, 0))
    #expect((report.roundtrip.count, report.propagation.count) == (30, 60))
  }

  @Test func aConditionThatHoldsMakesTheRunFail() async throws {
    let (status, output) = try await load(
      "--devices", "2", "--devices-per-account", "2", "--clients", "1", "--rate", "10", "--duration", "200ms",
      "--fail-if", "lost>0,roundtrip.max>0", "--json")
    #expect(status == 1)
    #expect(try JSONDecoder().decode(LoadReport.self, from: output).failed == ["roundtrip.max>0"])
  }

  @Test func aConditionThatIsNoneIsAMistakeOfTheCommandLine() async throws {
    #expect(try await load("--fail-if", "lots>0").status == 2)
  }
}
