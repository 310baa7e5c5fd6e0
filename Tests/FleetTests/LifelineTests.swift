import Fleet
import Foundation
import Glibc
import Launch
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LifelineTests {
  /// Blocks until end-of-file on the lifeline, as `exitWhenLauncherDies` does, then leaves with a code of its own.
  private static let waitForLauncher = #"eval "cat <&$STOREFLEET_LIFELINE" > /dev/null; exit 9"#

  @Test func childEndsWhenTheLifelineIsCut() async throws {
    let lifeline = try Lifeline()
    let children = try (0..<5).map { _ in
      try ChildProcess.start(.shell(Self.waitForLauncher, lifeline: lifeline))
    }
    #expect(children.allSatisfy { $0.exitStatus == nil })
    lifeline.cut()
    for child in children { #expect(await child.waitUntilExit() == .exited(code: 9)) }
  }

  @Test func childOfAnotherLifelineStays() async throws {
    let (cut, kept) = (try Lifeline(), try Lifeline())
    let leaver = try ChildProcess.start(.shell(Self.waitForLauncher, lifeline: cut))
    let stayer = try ChildProcess.start(.shell(Self.waitForLauncher, lifeline: kept))
    cut.cut()
    _ = await leaver.waitUntilExit()
    #expect(stayer.exitStatus == nil)
    await stayer.terminate(grace: .zero)
  }

  /// The same processes as in a fleet: a launcher that holds the writing end and is killed without a warning.
  @Test func noOrphanSurvivesALauncherThatIsKilled() async throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    // Like Lifeline: the launcher alone holds the writing end, three children hold the reading end.
    let launcher = """
      import os, sys, time
      reading, writing = os.pipe()
      for _ in range(3):
          child = os.fork()
          if child == 0:
              os.close(writing)
              os.dup2(reading, 3)
              os.environ["STOREFLEET_LIFELINE"] = "3"
              os.execv("/bin/sh", ["sh", "-c", sys.argv[1]])
          print(child, flush=True)
      time.sleep(1000)
      """
    let process = try ChildProcess.start(
      .python(launcher, Self.waitForLauncher, output: .appended(toFileAt: log)))
    var children: [Int32] = []
    try await eventually {
      children = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { Int32($0) }
      return children.count == 3
    }
    process.send(SIGKILL)
    _ = await process.waitUntilExit()
    for child in children { try await eventually { try ProcessState(of: child).hasEnded } }
  }

  @Test func processWithoutALauncherRunsOn() throws {
    #expect(try !Lifeline.exitWhenLauncherDies(inherited: nil, onLost: { Issue.record("lost what it never had") }))
  }

  @Test(arguments: ["", "no number", "-1", "0", "4294967296", "1000000"])
  func strayVariableIsRefused(text: String) throws {
    let error = try #require(throws: ChildProcessError.self) {
      try Lifeline.exitWhenLauncherDies(inherited: text)
    }
    #expect(error.code == .noLifeline)
  }

  @Test func launcherIsMissedOnceItsEndIsClosed() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    await withCheckedContinuation { continuation in
      do {
        let hasLauncher = try Lifeline.exitWhenLauncherDies(
          inherited: String(reading), onLost: { continuation.resume() })
        #expect(hasLauncher)
      } catch {
        Issue.record(error)
        continuation.resume()
      }
      close(writing)
    }
  }

  @Test func lostLauncherEndsTheProcessWithoutAHandler() async {
    await #expect(processExitsWith: .exitCode(1)) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return }
      try Lifeline.exitWhenLauncherDies(inherited: String(ends[0]))
      close(ends[1])
      // Only the lifeline's thread can end this.
      while true { pause() }
    }
  }
}
