import Foundation
import ServerNode
import Synchronization
import Wire

/// Keeps a number of appends on their way through a writer, each for another actor, picked at random.
final class Load: Sendable {
  private struct State {
    var sequences: [UInt64]
    /// By actor: an actor has at most one append on its way.
    var isBusy: [Bool]
    var asked = 0
    var answered = 0
    var failures = 0
    var target = 0
  }

  private let writer: JournalWriter
  private let inFlight: Int
  private let state: Mutex<State>
  private let done = DispatchSemaphore(value: 0)

  init(_ writer: JournalWriter, actors: Int, inFlight: Int) {
    self.writer = writer
    self.inFlight = inFlight
    state = Mutex(State(sequences: Array(repeating: 0, count: actors), isBusy: Array(repeating: false, count: actors)))
  }

  /// Appends that did not commit, ever.
  var failures: Int { state.withLock { state in state.failures } }

  /// Returns when `count` more appends are answered.
  func run(_ count: Int) {
    state.withLock { state in state.target += count }
    for _ in 0..<inFlight { askNext() }
    done.wait()
  }

  private func askNext() {
    let next = state.withLock { state -> (actor: Int, sequence: UInt64)? in
      guard state.asked < state.target else { return nil }
      var actor = 0
      repeat { actor = Int.random(in: 0..<state.isBusy.count) } while state.isBusy[actor]
      state.isBusy[actor] = true
      state.asked += 1
      return (actor, state.sequences[actor])
    }
    guard let (actor, sequence) = next else { return }
    let append = JournalAppend(
      actor: ActorAddress(world: "bench", kind: .account, key: "account-\(actor)"), expectedSequence: sequence,
      events: [JournalEvent(name: "purchased", at: 0, body: Workload.body)],
      answered: AnsweredRequest(id: RequestID(UUID()), reply: Workload.reply))
    writer.append(append) { [self] result in
      let isLast = state.withLock { state in
        if case .success(.committed) = result { state.sequences[actor] += 1 } else { state.failures += 1 }
        state.isBusy[actor] = false
        state.answered += 1
        return state.answered == state.target
      }
      if isLast { done.signal() } else { askNext() }
    }
  }
}
