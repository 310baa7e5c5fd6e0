import Glibc
import Threads

extension Lifeline {
  /// The child's side: from now on this process ends when its launcher does.
  ///
  /// Call it once, early in `main`. A thread of its own waits for the end of the pipe, so a stuck main thread or a
  /// full cooperative pool cannot keep an orphan alive. `onLost` runs on that thread; without one the process leaves
  /// at once, with code 1 and no handlers of `atexit`, which could wait for threads that will never end.
  ///
  /// - Parameter inherited: what the environment says in `STOREFLEET_LIFELINE`; nil when there is no launcher.
  /// - Returns: Whether there is a launcher.
  /// - Throws: `noLifeline` when the variable does not name an inherited pipe, or the system has no thread to watch it.
  @discardableResult
  package static func exitWhenLauncherDies(
    inherited: String? = EnvironmentVariable.value(variable),
    onLost: @escaping @Sendable () -> Void = { _exit(1) }
  ) throws(ChildProcessError) -> Bool {
    guard let text = inherited else { return false }
    var status = stat()
    guard let descriptor = Int32(text), descriptor > 2, fstat(descriptor, &status) == 0,
      status.st_mode & S_IFMT == S_IFIFO
    else {
      throw ChildProcessError(
        .noLifeline,
        "\(variable) is '\(text)', which is no pipe of this process: only the launcher sets it, so unset it")
    }
    // The child's own children get lifelines of their own, or none.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let code = NamedThread.start(named: "lifeline") {
      waitForEnd(of: descriptor)
      onLost()
    }
    guard code == 0 else { throw .system("watch the launcher", errno: code) }
    return true
  }

  private static func waitForEnd(of descriptor: Int32) {
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count == 0 { return }
      if count < 0, errno != EINTR { return }
    }
  }
}
