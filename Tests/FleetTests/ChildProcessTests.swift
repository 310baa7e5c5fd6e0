import Fleet
import Foundation
import Glibc
import Launch
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChildProcessTests {
  @Test(arguments: [0, 1, 7, 255])
  func exitCodeIsReported(code: Int32) async throws {
    let child = try startShell("exit \(code)")
    #expect(await child.waitUntilExit() == .exited(code: code))
    #expect(child.exitStatus == .exited(code: code))
    #expect(child.exitStatus?.isSuccess == (code == 0))
  }

  @Test func everyoneWhoWaitsHearsOfTheEnd() async throws {
    let child = try startSleep()
    let statuses = await withTaskGroup { group in
      for _ in 0..<10 { group.addTask { await child.waitUntilExit() } }
      child.send(SIGKILL)
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: .signalled(SIGKILL), count: 10))
  }

  @Test func killEndsAProcessThatIsStopped() async throws {
    let child = try startSleep()
    child.send(SIGSTOP)
    child.send(SIGKILL)
    #expect(await child.waitUntilExit() == .signalled(SIGKILL))
  }

  @Test func stoppedProcessRunsOnAfterContinue() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    // The shell stops itself; only SIGCONT lets it reach its last line.
    let child = try startShell("echo before; kill -STOP $$; echo after; exit 4", output: .appended(toFileAt: log))
    try await eventually { try ProcessState(of: child.processID) == .stopped }
    #expect(child.exitStatus == nil)
    #expect(child.send(SIGCONT))
    #expect(await child.waitUntilExit() == .exited(code: 4))
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "before\nafter\n")
  }

  @Test func terminateNeedsNoKillWhenTheChildListens() async throws {
    let child = try startSleep()
    #expect(await child.terminate(grace: .seconds(60)) == .signalled(SIGTERM))
  }

  @Test func terminateKillsAChildThatIgnoresTheRequest() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    let child = try startShell("trap '' TERM; echo deaf; exec sleep 1000", output: .appended(toFileAt: log))
    try await eventually { try String(contentsOfFile: log, encoding: .utf8) == "deaf\n" }
    #expect(await child.terminate(grace: .milliseconds(10)) == .signalled(SIGKILL))
  }

  @Test func terminateWakesAStoppedChild() async throws {
    let child = try startSleep()
    child.send(SIGSTOP)
    try await eventually { try ProcessState(of: child.processID) == .stopped }
    #expect(await child.terminate(grace: .seconds(60)) == .signalled(SIGTERM))
  }

  @Test func signalToAChildThatHasEndedReachesNobody() async throws {
    let child = try startShell("exit 0")
    _ = await child.waitUntilExit()
    #expect(!child.send(SIGKILL))
  }

  @Test func signalReachesTheWholeGroup() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    let lifeline = try Lifeline()
    let child = try startShell(
      "sleep 1000 & echo $!; wait", output: .appended(toFileAt: log), ownProcessGroup: true, lifeline: lifeline)
    var grandchild: Int32 = 0
    try await eventually {
      grandchild = Int32(try String(contentsOfFile: log, encoding: .utf8).dropLast()) ?? 0
      return grandchild > 0
    }
    #expect(getpgid(child.processID) == child.processID)
    child.send(SIGKILL)
    _ = await child.waitUntilExit()
    try await eventually { try ProcessState(of: grandchild).hasEnded }
  }

  @Test func outputIsAppendedToTheLog() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    for line in ["one", "two"] {
      let child = try startShell("echo \(line); echo \(line) error >&2", output: .appended(toFileAt: log))
      _ = await child.waitUntilExit()
    }
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "one\none error\ntwo\ntwo error\n")
  }

  @Test func childGetsItsArgumentsAndOnlyTheGivenEnvironment() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    let child = try ChildProcess.start(
      ChildProcess.Configuration(
        executable: "/bin/sh",
        arguments: ["-c", #"echo "$1|$2|$COLOUR|${HOME-none}|${STOREFLEET_LIFELINE-none}""#, "sh", "a b", "ü"],
        environment: ["COLOUR": "blue", Lifeline.variable: "77"], output: .appended(toFileAt: log), lifeline: nil))
    _ = await child.waitUntilExit()
    #expect(try String(contentsOfFile: log, encoding: .utf8) == "a b|ü|blue|none|none\n")
  }

  @Test(arguments: [false, true])
  func noDescriptorLeaksIntoTheChild(withLifeline: Bool) async throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    // An inheritable descriptor with a high number, as any library may leave one behind.
    let leaky = fcntl(0, F_DUPFD, 200)
    defer { close(leaky) }
    let lifeline = withLifeline ? try Lifeline() : nil
    let child = try startShell("ls /proc/$$/fd; exit 0", output: .appended(toFileAt: log), lifeline: lifeline)
    #expect(await child.waitUntilExit().isSuccess)
    #expect(
      try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        == (withLifeline ? ["0", "1", "2", "3"] : ["0", "1", "2"]))
  }

  @Test func childStartsWithUnblockedSignals() async throws {
    let child = try startShell("grep -q '^SigBlk:[[:space:]]*0*$' /proc/self/status")
    #expect(await child.waitUntilExit().isSuccess)
  }

  @Test func hundredChildrenStartAndEnd() async throws {
    let children = try (0..<100).map { try startShell("exit \($0)") }
    for (code, child) in children.enumerated() {
      #expect(await child.waitUntilExit() == .exited(code: Int32(code)))
    }
  }

  @Test func childIsReapedAlthoughNobodyHoldsIt() async throws {
    let processID = try startShell("exit 0").processID
    // A zombie would still be there.
    try await eventually { try ProcessState(of: processID) == .gone }
  }

  @Test func missingExecutableIsOneClearSentence() throws {
    let error = try #require(throws: ChildProcessError.self) {
      try ChildProcess.start(ChildProcess.Configuration(executable: "/nowhere/app", lifeline: nil))
    }
    #expect(error == ChildProcessError(.notExecutable, "cannot start '/nowhere/app': No such file or directory"))
  }

  @Test func unwritableLogIsOneClearSentence() throws {
    let error = try #require(throws: ChildProcessError.self) {
      try startShell("", output: .appended(toFileAt: "/nowhere/log"))
    }
    #expect(error.code == .unwritableLog)
    #expect(error.message == "cannot open the log file '/nowhere/log': No such file or directory")
  }

  private func startShell(
    _ script: String, output: ChildProcess.Configuration.Output = .discarded, ownProcessGroup: Bool = false,
    lifeline: Lifeline? = nil
  ) throws -> ChildProcess {
    try ChildProcess.start(.shell(script, output: output, ownProcessGroup: ownProcessGroup, lifeline: lifeline))
  }

  private func startSleep() throws -> ChildProcess {
    try startShell("exec sleep 1000")
  }
}
