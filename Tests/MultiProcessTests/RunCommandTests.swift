import Fleet
import FleetTesting
import Foundation
import Glibc
import Testing

/// `storefleet run`, as a CI job sees it: what it prints where, and the exit code.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct RunCommandTests {
  private let tool: Tool

  init() throws { tool = Tool(workplace: try FleetWorkplace()) }

  private struct Report: Decodable {
    struct Device: Decodable {
      var device: String
      var verdict: String
    }
    struct Step: Decodable { var number: Int }
    var passed: Bool
    var summary: String
    var steps: [Step]
    var devices: [Device]
  }

  private func report(_ outcome: Tool.Outcome) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
  }

  private func scenario(_ steps: String) throws -> String {
    let text = """
      {
        catalog: "\(Repository.path("Fixtures/Demo.storekit"))",
        world: {name: "main"},
        accounts: [{name: "kim"}],
        devices: [{name: "kim-phone", account: "kim"}, {name: "kim-pad", account: "kim"}],
        steps: [
      \(steps)
        ],
      }
      """
    return try tool.workplace.write(text, to: "story.json5")
  }

  private static let brokenSync = """
        {buy: "\(Product.lifetime)", on: "kim-phone", expect: "completed"},
        {settle: true},
        {breakSync: {dropUpdates: 1, catchUp: false}, on: "kim-pad"},
        {refund: "\(Product.lifetime)", account: "kim"},
        {expect: {device: "kim-phone", entitlements: []}},
    """

  @Test(arguments: ["billing", "field", "hold-ups", "price-increase", "refund-request"])
  func teachingScenarioHoldsFromItsStartStates(name: String) async throws {
    let outcome = try await tool.run("run", "--json", Repository.path("Scenarios/\(name).json5"))
    #expect(outcome.status == .exited(code: 0), "\(outcome.errors)")
  }

  @Test func stepThatNeedsADeadServerFailsAtOnceAndSaysWhy() async throws {
    let steps = """
          {server: "kill"},
          {expect: {device: "kim-phone", access: "locked"}, within: "1h"},
      """
    let start = ContinuousClock.now
    let outcome = try await tool.run("run", try scenario(steps))
    #expect(outcome.status == .exited(code: 1), "\(outcome.errors)")
    #expect(outcome.output.contains("the server does not run: it was killed by an earlier step"))
    #expect(ContinuousClock.now - start < .seconds(45), "no deadline was waited for")
  }

  @Test func runThatCouldAskNoDeviceInTheEndDoesNotPass() async throws {
    let outcome = try await tool.run("run", try scenario(#"    {server: "kill"},"#))
    #expect(outcome.status == .exited(code: 1), "\(outcome.errors)")
    #expect(outcome.output.contains("the server does not run") || outcome.output.contains("no device could be asked"))
  }

  @Test func theDemoPasses() async throws {
    let outcome = try await tool.run("run", "--json", Repository.path("Scenarios/demo.json5"))
    #expect(outcome.status == .exited(code: 0), "\(outcome.errors)")
    let report = try report(outcome)
    #expect(report.passed)
    #expect(report.devices.count == 24)
    #expect(report.devices.allSatisfy { $0.verdict == "agrees" }, "\(report.summary)")
    #expect(report.steps.map(\.number) == Array(0..<report.steps.count))
  }

  @Test func aDeviceThatLostAnUpdateIsNamedAndFailsTheRun() async throws {
    let outcome = try await tool.run("run", try scenario(Self.brokenSync))
    #expect(outcome.status == .exited(code: 1))
    let findings = outcome.output.split(separator: "\n").filter { $0.contains("disagree") }
    #expect(findings.contains { $0.contains("kim-pad") }, "\(outcome.output)")
    #expect(!findings.contains { $0.contains("kim-phone") }, "\(outcome.output)")
  }

  @Test func theReportForProgramsNamesItToo() async throws {
    let outcome = try await tool.run("run", "--json", try scenario(Self.brokenSync))
    #expect(outcome.status == .exited(code: 1))
    let report = try report(outcome)
    #expect(!report.passed)
    #expect(report.devices.filter { $0.verdict == "disagrees" }.map(\.device) == ["kim-pad"])
  }

  @Test func aStoryGoesOnAtOnceAfterProcessesWereRestarted() async throws {
    let outcome = try await tool.run(
      "run",
      try scenario(
        """
            {server: "restart"},
            {buy: "\(Product.lifetime)", on: "kim-phone", expect: "completed"},
            {client: 1, do: "restart"},
            {launch: ["kim-phone", "kim-pad"]},
            {expect: {account: "kim", entitlements: ["\(Product.lifetime)"]}},
            {server: "restart"},
            {expect: {account: "kim", entitlements: ["\(Product.lifetime)"]}, within: "0"},
        """))
    #expect(outcome.status == .exited(code: 0), "\(outcome.output)")
    #expect(outcome.output.contains("All 2 devices agree"), "\(outcome.output)")
  }

  @Test func mistakesOfAScenarioAreToldWithFileLineAndStep() async throws {
    let file = try scenario(#"    {buy: "\#(Product.lifetime)", on: "kim-phnoe"},"#)
    let outcome = try await tool.run("run", file)
    #expect(outcome.status == .exited(code: 1))
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("story.json5:7:"), "\(outcome.errors)")
    #expect(outcome.errors.contains("step 1 (buy)"), "\(outcome.errors)")
    #expect(outcome.errors.contains("did you mean 'kim-phone'?"), "\(outcome.errors)")
  }

  @Test(arguments: [
    (["frobnicate"], Int32(2), "unknown command 'frobnicate'"), (["run", "--frob", "x.json5"], 2, "--frob"),
    (["run"], 2, "SCENARIO"), (["devices"], 3, "no fleet is running"), (["devices", "--fleet", "nobody"], 3, "nobody"),
    (["run", "/nowhere/story.json5"], 1, "/nowhere/story.json5"),
  ])
  func theExitCodeSaysWhatKindOfFailureItWas(_ words: [String], _ code: Int32, _ text: String) async throws {
    let outcome = try await tool.run(words)
    #expect(outcome.status == .exited(code: code))
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
  }

  @Test func aClientThatDiesIsReportedInsteadOfADeadline() async throws {
    // The story waits for what will not come, far longer than the test does.
    let file = try scenario(
      #"    {expect: {device: "kim-pad", entitlements: ["\#(Product.lifetime)"]}, within: "1h"},"#)
    let run = try tool.start("run", "--name", "story", file)
    let folder = RunFolder(path: tool.workplace.home.path + "/fleets/story")
    let client = try #require(try await nodes(of: run, folder).first { $0.name == "client-1" })
    #expect(kill(client.process.processID, SIGKILL) == 0)
    #expect(try await tool.end(of: run.process, "run") == .exited(code: 3))
    #expect(run.errors.contains("client-1 ended unexpectedly (ended by signal 9"), "\(run.errors)")
    #expect(run.errors.contains("somebody else ended it, and before that its log says"), "\(run.errors)")
    #expect(run.errors.contains("ready: 2 devices"), "the last line of its log: \(run.errors)")
  }

  @Test func controlCEndsARunWithTheShellsCodeAndLeavesNothing() async throws {
    let file = try scenario(
      #"    {expect: {device: "kim-pad", entitlements: ["\#(Product.lifetime)"]}, within: "1h"},"#)
    let run = try tool.start("run", "--name", "story", file)
    let folder = RunFolder(path: tool.workplace.home.path + "/fleets/story")
    let nodes = try await nodes(of: run, folder).map { try ProcessWatch($0) }
    run.process.send(SIGINT)
    #expect(try await tool.end(of: run.process, "run") == .exited(code: 130))
    for node in nodes { try await node.end() }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  /// Waits until the story has begun, and says what runs.
  private func nodes(of run: RunningTool, _ folder: RunFolder) async throws -> [FleetDescription.Node] {
    try await inTime("the story begins: \(run.errors)") {
      // Standard error is a file here: it is looked at again.
      while !run.errors.contains("set up 1 account") { try await Task.sleep(for: .milliseconds(10)) }
    }
    return try folder.readDescription().nodes
  }
}
