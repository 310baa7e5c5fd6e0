import Glibc
package import Launch
import Synchronization

/// A process that this one started, and everything that can be done to it.
///
/// The child gets standard input from `/dev/null`, its output where the configuration says, its lifeline, and no
/// other descriptor of the launcher. It is watched until it has ended, also when this object is gone.
package final class ChildProcess: Sendable {
  package struct Configuration: Sendable {
    package enum Output: Hashable, Sendable {
      /// Where the launcher's own output goes.
      case inherited
      /// Added to the end of this file, which is created when missing.
      case appended(toFileAt: String)
      case discarded
    }

    /// The path of the executable; `PATH` is not searched.
    package var executable: String
    /// Without the executable's own name.
    package var arguments: [String]
    /// The whole environment; nothing is added but the lifeline's variable.
    package var environment: [String: String]
    /// Standard output and standard error.
    package var output: Output
    /// Whether the child leads a process group: signals then reach its descendants too, and the terminal's Ctrl-C
    /// reaches none of them.
    package var ownProcessGroup: Bool
    /// What ends the child when the launcher dies; a child without one may become an orphan.
    package var lifeline: Lifeline?

    package init(
      executable: String, arguments: [String] = [], environment: [String: String] = [:],
      output: Output = .inherited, ownProcessGroup: Bool = false, lifeline: Lifeline?
    ) {
      self.executable = executable
      self.arguments = arguments
      self.environment = environment
      self.output = output
      self.ownProcessGroup = ownProcessGroup
      self.lifeline = lifeline
    }
  }

  private enum State {
    /// Whoever waits, by a number of its own.
    case running(waiting: [Int: CheckedContinuation<ExitStatus?, Never>])
    case ended(ExitStatus)
  }

  package let processID: Int32
  private let signalTarget: Int32
  private let state = Mutex(State.running(waiting: [:]))
  private let nextWaiter = Atomic(0)

  private init(processID: Int32, leadsGroup: Bool) {
    self.processID = processID
    signalTarget = leadsGroup ? -processID : processID
  }

  /// Starts a process; when this returns, the child is executing its program.
  package static func start(_ configuration: Configuration) throws(ChildProcessError) -> ChildProcess {
    let reaper = try ChildReaper.shared.get()
    let processID = try configuration.spawn()
    let child = ChildProcess(processID: processID, leadsGroup: configuration.ownProcessGroup)
    do {
      try reaper.watch(child)
    } catch {
      // A child that nobody watches would stay a zombie: end it here, where its end is certain and near.
      kill(child.signalTarget, SIGKILL)
      var status: Int32 = 0
      while waitpid(processID, &status, 0) == -1, errno == EINTR {}
      throw error
    }
    return child
  }

  /// Nil while the process is running or stopped.
  package var exitStatus: ExitStatus? {
    state.withLock { state in
      if case .ended(let status) = state { status } else { nil }
    }
  }

  /// Waits for the end without holding a thread. Cancellation does not end the wait: to hurry it, send a signal.
  package func waitUntilExit() async -> ExitStatus {
    await wait(as: nextWaiter.add(1, ordering: .relaxed).oldValue) ?? .unknown
  }

  /// As `waitUntilExit`, but nil as soon as the task is cancelled.
  package func waitUntilExitOrCancellation() async -> ExitStatus? {
    let waiter = nextWaiter.add(1, ordering: .relaxed).oldValue
    return await withTaskCancellationHandler {
      await wait(as: waiter, unlessCancelled: true)
    } onCancel: {
      let waiting = state.withLock { state -> CheckedContinuation<ExitStatus?, Never>? in
        guard case .running(var waiting) = state else { return nil }
        defer { state = .running(waiting: waiting) }
        return waiting.removeValue(forKey: waiter)
      }
      waiting?.resume(returning: nil)
    }
  }

  private func wait(as waiter: Int, unlessCancelled: Bool = false) async -> ExitStatus? {
    await withCheckedContinuation { continuation in
      let answer: ExitStatus?? = state.withLock { state in
        switch state {
        case .ended(let status): return .some(status)
        case .running(var waiting):
          // Looked at under the lock: a cancellation that comes later finds the continuation.
          if unlessCancelled, Task.isCancelled { return .some(nil) }
          waiting[waiter] = continuation
          state = .running(waiting: waiting)
          return .none
        }
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Sends a signal, for example `SIGKILL`, `SIGSTOP` or `SIGCONT`, to the child, or to its group if it leads one.
  ///
  /// - Returns: Whether there still was a process to receive it. A number that the system gave to another process in
  ///   the meantime is never hit: the child is reaped under the same lock.
  @discardableResult
  package func send(_ signal: Int32) -> Bool {
    state.withLock { state in
      guard case .running = state else { return false }
      return kill(signalTarget, signal) == 0
    }
  }

  /// Asks the process to end and, when it is still there after `grace`, kills it.
  ///
  /// A stopped process is woken up, for it would sleep through the request. Cancelling the task ends the grace.
  @discardableResult
  package func terminate(grace: Duration) async -> ExitStatus {
    send(SIGTERM)
    send(SIGCONT)
    return await withTaskGroup { group in
      group.addTask {
        try? await Task.sleep(for: grace)
        self.send(SIGKILL)
      }
      let status = await waitUntilExit()
      group.cancelAll()
      return status
    }
  }

  /// Takes the status of a child that has ended and tells everyone who waits. The reaper's thread calls it.
  func reap() {
    let (status, waiting): (ExitStatus?, [CheckedContinuation<ExitStatus?, Never>]) = state.withLock { state in
      guard case .running(let waiting) = state else { return (nil, []) }
      var waitStatus: Int32 = 0
      var result: Int32
      repeat { result = waitpid(processID, &waitStatus, WNOHANG) } while result == -1 && errno == EINTR
      if result == 0 { return (nil, []) }
      let status = result == processID ? ExitStatus(waitStatus: waitStatus) : .unknown
      state = .ended(status)
      return (status, Array(waiting.values))
    }
    guard let status else { return }
    for continuation in waiting { continuation.resume(returning: status) }
  }
}
