import Foundation
import Synchronization
import Wire

/// The requests of this process that wait for the node's answer: bounded, each until its deadline.
final class LocalRequests: Sendable {
  typealias Result = Swift.Result<Answer<Data>, WireError>

  private struct Waiter {
    let number: UInt64
    let deadline: ContinuousClock.Instant
    let answer: @Sendable (Result) -> Void
  }

  private struct State {
    var waiters: [RequestID: [Waiter]] = [:]
    var count = 0
    var lastNumber: UInt64 = 0
    var isClosed = false

    mutating func take(_ id: RequestID, where isMeant: (Waiter) -> Bool) -> Waiter? {
      guard let place = waiters[id]?.firstIndex(where: isMeant), let waiter = waiters[id]?.remove(at: place) else {
        return nil
      }
      if waiters[id]?.isEmpty == true { waiters[id] = nil }
      count -= 1
      return waiter
    }
  }

  private let state = Mutex(State())
  private let most: Int

  init(most: Int) { self.most = most }

  /// Waits for the answer to `id`. `send` is called once the answer can be taken.
  func wait(for id: RequestID, until deadline: ContinuousClock.Instant, send: () -> Void) async -> Result {
    let number = state.withLock {
      $0.lastNumber += 1
      return $0.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter(number: number, deadline: deadline) { continuation.resume(returning: $0) }
        if let refusal = add(waiter, for: id) { return continuation.resume(returning: .failure(refusal)) }
        // A cancellation from before had nobody to tell.
        if Task.isCancelled { return give(up: id, number) }
        send()
      }
    } onCancel: {
      give(up: id, number)
    }
  }

  /// The same without a task: `answer` is called, once, on whatever thread knows it first.
  func wait(
    for id: RequestID, until deadline: ContinuousClock.Instant, send: () -> Void,
    answer: @escaping @Sendable (Result) -> Void
  ) {
    let number = state.withLock {
      $0.lastNumber += 1
      return $0.lastNumber
    }
    if let refusal = add(Waiter(number: number, deadline: deadline, answer: answer), for: id) {
      return answer(.failure(refusal))
    }
    send()
  }

  /// - Returns: why it cannot wait.
  private func add(_ waiter: Waiter, for id: RequestID) -> WireError? {
    state.withLock { state in
      if state.isClosed { return .nodeStops }
      if state.count >= most { return .tooManyLocal(most) }
      state.waiters[id, default: []].append(waiter)
      state.count += 1
      return nil
    }
  }

  private func give(up id: RequestID, _ number: UInt64) {
    let waiter = state.withLock { $0.take(id) { $0.number == number } }
    waiter?.answer(.failure(.noLongerWaited))
  }

  /// Hands the frames of a reply to whoever waits for it; to nobody when its time is over.
  func answer(_ frames: [Data]) {
    guard let reply = try? ReplyFrames(frames: frames), let id = reply.id,
      let waiter = state.withLock({ $0.take(id) { _ in true } })
    else { return }
    switch reply.outcome {
    case .ok(let body): waiter.answer(.success(Answer(body, attachments: reply.attachments)))
    case .failed(let error): waiter.answer(.failure(error))
    }
  }

  /// Tells those whose time is over. Returns whether others wait.
  func expire(at now: ContinuousClock.Instant) -> Bool {
    let (late, areLeft) = state.withLock { state in
      var late: [Waiter] = []
      for (id, waiters) in state.waiters where waiters.contains(where: { $0.deadline <= now }) {
        while let waiter = state.take(id, where: { $0.deadline <= now }) { late.append(waiter) }
      }
      return (late, state.count > 0)
    }
    for waiter in late { waiter.answer(.failure(.noAnswerInTime)) }
    return areLeft
  }

  /// Nobody is answered any more.
  func close() {
    let waiters = state.withLock { state in
      let all = state.waiters.values.joined().map(\.self)
      state.waiters = [:]
      state.count = 0
      state.isClosed = true
      return all
    }
    for waiter in waiters { waiter.answer(.failure(.nodeStops)) }
  }
}

extension WireError {
  fileprivate static let nodeStops = WireError(.unavailable, "the server node stops: ask again when it is back")
  fileprivate static let noLongerWaited = WireError(.deadlineExceeded, "whoever asked does not wait any more")
  fileprivate static let noAnswerInTime = WireError(
    .deadlineExceeded, "no answer in time: whether it was done is not known, ask again with the same request id")
  fileprivate static func tooManyLocal(_ most: Int) -> WireError {
    WireError(.overloaded, "\(most) requests wait for the server node already: ask again later")
  }
}
