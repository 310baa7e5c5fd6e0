internal import Dispatch
internal import Glibc

/// SIGTERM and SIGINT as a sequence, instead of the sudden end of the process.
enum TerminationSignals {
  /// Safe since Dispatch's sources may be cancelled from any thread; nothing else is done with them.
  private final class Sources: @unchecked Sendable {
    let list: [any DispatchSourceSignal]
    init(_ list: [any DispatchSourceSignal]) { self.list = list }
    func cancel() { for source in list { source.cancel() } }
  }

  static func stream() -> AsyncStream<Int32> {
    AsyncStream { continuation in
      let sources = [SIGTERM, SIGINT].map { number -> any DispatchSourceSignal in
        // The source sees the signal only when it does not end the process.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { continuation.yield(number) }
        source.resume()
        return source
      }
      let held = Sources(sources)
      continuation.onTermination = { _ in held.cancel() }
    }
  }
}

extension ClientNode {
  /// As `run`, for a process of its own: SIGTERM and SIGINT are an orderly stop.
  package func runUntilTerminated() async throws(ClientNodeError) {
    let result = await withTaskGroup(of: Void.self, returning: Result<Void, ClientNodeError>.self) { group in
      group.addTask {
        for await _ in TerminationSignals.stream() {
          self.stop()
          break
        }
      }
      defer { group.cancelAll() }
      do throws(ClientNodeError) {
        try await run()
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
