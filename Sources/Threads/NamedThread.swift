import CLinux
import Glibc

/// A thread that shows its name in debuggers and that signals never interrupt: they go to the main thread.
package enum NamedThread {
  /// Starts `body` on a detached thread. The system keeps 15 bytes of `name`.
  ///
  /// - Returns: 0, or the `errno` of why the system has no thread for it.
  package static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> CInt {
    // The mask is inherited, so that not even the thread's first instructions can be interrupted.
    var blocked = sigset_t()
    var previous = sigset_t()
    sigfillset(&blocked)
    // A crash is reported by the thread that crashes.
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&blocked, signal) }
    pthread_sigmask(SIG_BLOCK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runNamedThread, start.toOpaque())
    guard code == 0 else {
      start.release()
      return code
    }
    pthread_detach(thread)
    return 0
  }

  fileprivate final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }
}

private func runNamedThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let start = Unmanaged<NamedThread.Start>.fromOpaque(argument).takeRetainedValue()
  pthread_setname_np(pthread_self(), String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
  start.body()
  return nil
}
