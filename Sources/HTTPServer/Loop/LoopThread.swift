import CLinux
import Glibc

/// A detached thread that shows its name in debuggers and that signals never interrupt.
enum LoopThread {
  /// The system keeps 15 bytes of `name`.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(HTTPServerError) {
    // The mask is inherited, so that not even the thread's first instructions can be interrupted. A crash is reported
    // by the thread that crashes.
    var blocked = sigset_t()
    var previous = sigset_t()
    sigfillset(&blocked)
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&blocked, signal) }
    pthread_sigmask(SIG_BLOCK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runLoopThread, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw HTTPServerError(
        operation: "start an HTTP server",
        reason: "\(String(cString: strerror(code))). Raise the limit of threads, or ask for fewer.")
    }
    pthread_detach(thread)
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

private func runLoopThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let start = Unmanaged<LoopThread.Start>.fromOpaque(argument).takeRetainedValue()
  pthread_setname_np(pthread_self(), String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
  start.body()
  return nil
}
