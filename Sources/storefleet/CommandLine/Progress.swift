import Synchronization

/// Shows how far a long piece of work is: a bar that redraws itself on a terminal, plain lines anywhere else.
final class Progress: Sendable {
  private struct State {
    var done = 0
    var isFinished = false
    var lastDrawn: ContinuousClock.Instant?
    var lastTenth = -1
  }

  /// Redrawing more often than a person can see only costs time.
  private static let interval = Duration.milliseconds(100)

  private let line: ProgressLine
  private let isTerminal: Bool
  private let write: @Sendable (String) -> Void
  private let started = ContinuousClock.now
  private let state = Mutex(State())

  /// - Parameters:
  ///   - label: What is being done, for example `launching devices`.
  ///   - total: How many steps there are.
  init(
    _ label: String, total: Int, isTerminal: Bool = StandardError.isTerminal,
    write: @escaping @Sendable (String) -> Void = { StandardError.write($0) }
  ) {
    line = ProgressLine(label: label, total: total)
    self.isTerminal = isTerminal
    self.write = write
  }

  /// Says that `steps` more are done.
  func advance(by steps: Int = 1) { update { $0.done += steps } }

  /// Says how many are done in all.
  func advance(to done: Int) { update { $0.done = max($0.done, done) } }

  /// Writes the last line, whatever the count, and nothing after it.
  func finish() {
    let now = ContinuousClock.now
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      let text = line.text(done: state.done, elapsed: started.duration(to: now), bar: false)
      write(isTerminal ? "\r\u{1B}[K\(text)\n" : "\(text)\n")
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let now = ContinuousClock.now
    // Written under the lock, so that a bar never goes back.
    state.withLock { state in
      guard !state.isFinished else { return }
      change(&state)
      if isTerminal {
        if let last = state.lastDrawn, last.duration(to: now) < Self.interval { return }
        state.lastDrawn = now
        write("\r\u{1B}[K" + line.text(done: state.done, elapsed: started.duration(to: now), bar: true))
      } else {
        let tenth = line.percent(done: state.done) / 10
        guard tenth > state.lastTenth, tenth < 10 else { return }
        state.lastTenth = tenth
        write(line.text(done: state.done, elapsed: started.duration(to: now), bar: false) + "\n")
      }
    }
  }
}
