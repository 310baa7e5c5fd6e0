import Dispatch
import Glibc
import Synchronization

/// Turns Ctrl-C and a polite request to end into the cancellation of what is running, so that it can end in order.
enum Interruption {
  /// Runs `body` and cancels it at the first of `signals`. At the second, `onImpatience` is called: whoever asks twice
  /// does not want to wait.
  static func run(
    cancelledBy signals: [Int32] = [SIGINT, SIGTERM],
    onImpatience: @escaping @Sendable () -> Void = { _exit(ExitCode.interrupted.rawValue) },
    _ body: @escaping @Sendable () async -> ExitCode
  ) async -> ExitCode {
    let (requests, request) = AsyncStream.makeStream(of: Void.self)
    let wasAsked = Mutex(false)
    var sources: [any DispatchSourceSignal] = []
    for signal in signals {
      let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
      source.setEventHandler {
        let isSecond = wasAsked.withLock { asked in
          defer { asked = true }
          return asked
        }
        if isSecond { onImpatience() } else { request.yield() }
      }
      // Until the source is registered, the signal would still end the process.
      await withCheckedContinuation { continuation in
        source.setRegistrationHandler { continuation.resume() }
        source.resume()
      }
      sources.append(source)
    }
    defer { sources.forEach { $0.cancel() } }

    return await withTaskGroup(of: ExitCode?.self) { group in
      group.addTask { await body() }
      group.addTask {
        for await _ in requests { break }
        return nil
      }
      var code: ExitCode?
      // Whichever comes first cancels the other: a request the command, the command's end the wait for requests.
      while let result = await group.next() {
        code = code ?? result
        group.cancelAll()
      }
      return code ?? .interrupted
    }
  }
}
