import Glibc
import Testing

@testable import storefleet

@Suite(.timeLimit(.minutes(1)))
struct InterruptionTests {
  @Test func commandThatEndsByItselfKeepsItsCode() async {
    #expect(await Interruption.run(cancelledBy: [SIGUSR1]) { .failed } == .failed)
  }

  @Test func signalCancelsTheCommandAndLetsItEndInOrder() async {
    // In a process of its own: a signal is for the whole process, and other tests run in this one.
    await #expect(processExitsWith: .exitCode(ExitCode.interrupted.rawValue)) {
      let code = await Interruption.run {
        kill(getpid(), SIGINT)
        do {
          try await Task.sleep(for: .seconds(1_000))
          return .ok
        } catch {
          return .interrupted
        }
      }
      exit(code.rawValue)
    }
  }

  @Test func secondSignalEndsACommandThatDoesNotListen() async {
    await #expect(processExitsWith: .exitCode(ExitCode.interrupted.rawValue)) {
      _ = await Interruption.run {
        kill(getpid(), SIGTERM)
        while !Task.isCancelled { await Task.yield() }
        kill(getpid(), SIGINT)
        while true { await Task.yield() }
      }
    }
  }
}
