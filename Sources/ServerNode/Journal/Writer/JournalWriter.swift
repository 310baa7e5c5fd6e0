import Foundation
package import Wire

/// Gives a journal a thread of its own and commits in groups: while one commit is on its way to the disk, appends
/// gather and go together in the next.
///
/// Every function may be called from any thread and returns at once, `stop` apart. Callbacks run on the journal's
/// thread, after the commit has returned, and must be quick; they may call the writer. Once the writer is stopped, or
/// could not open its journal, a callback gets the error at once on the caller's thread. A writer that was started
/// keeps its thread and its journal until it is stopped.
///
/// Sendable is unchecked because all mutable state is guarded by `condition`; the journal itself never leaves its
/// thread.
package final class JournalWriter: @unchecked Sendable {
  private enum State {
    case new
    case running
    /// Does what waits, takes nothing new.
    case stopping
    case stopped(JournalError)
  }

  private let opening: @Sendable () throws(JournalError) -> any Journal
  private let condition = NSCondition()
  private var state = State.new
  private var queue = JournalWorkQueue()
  private var counts = JournalWriterCounters()
  /// Nil before the start and after the end; while it runs it keeps the writer, and the writer keeps it.
  private var thread: Thread?

  /// `opening` runs on the journal's thread when the writer starts.
  package init(opening: @escaping @Sendable () throws(JournalError) -> any Journal) {
    self.opening = opening
  }

  /// Opens and recovers the journal. What was asked before waits until that is done. Called once; a second call is
  /// an error.
  package func start(_ done: @escaping @Sendable (Result<JournalRecovery, JournalError>) -> Void) {
    condition.lock()
    guard case .new = state else {
      condition.unlock()
      return done(.failure(JournalError(.failed, "The journal's writer was started before. Make a new one.")))
    }
    state = .running
    let thread = Thread { [self] in run(done) }
    thread.name = "journal"
    self.thread = thread
    condition.unlock()
    thread.start()
  }

  /// Does all that waits, closes the journal and returns when its thread has ended. Called in a callback it only asks
  /// for that, since the thread cannot wait for itself.
  package func stop() {
    condition.lock()
    var abandoned: [JournalWorkQueue.Work] = []
    switch state {
    case .new:
      abandoned = queue.takeAll()
      state = .stopped(.writerStopped)
    case .running: state = .stopping
    case .stopping, .stopped: break
    }
    condition.broadcast()
    if Thread.current !== thread {
      while thread != nil { condition.wait() }
    }
    condition.unlock()
    JournalWriter.refuse(abandoned, .writerStopped)
  }

  package func append(
    _ append: JournalAppend, then: @escaping @Sendable (Result<JournalAppendResult, JournalError>) -> Void
  ) {
    appendTogether([append]) { result in
      then(
        result.flatMap { results in
          guard let first = results.first else { return .failure(.missingResult) }
          return .success(first)
        })
    }
  }

  /// Commits `appends` in one transaction, in order; each is judged by itself, as `Journal.commit` says.
  package func appendTogether(
    _ appends: [JournalAppend], then: @escaping @Sendable (Result<[JournalAppendResult], JournalError>) -> Void
  ) {
    let byteCount = appends.reduce(0) { count, append in count + append.byteCount }
    add(.append(JournalWorkQueue.Append(appends: appends, byteCount: byteCount, then: then)))
  }

  package func load(
    _ actor: ActorAddress, then: @escaping @Sendable (Result<StoredActor, JournalError>) -> Void
  ) {
    read(then) { journal throws(JournalError) in try journal.load(actor) }
  }

  /// As `load`, with a snapshot in the place of the events that it stands for.
  package func activate(
    _ actor: ActorAddress, then: @escaping @Sendable (Result<StoredActor, JournalError>) -> Void
  ) {
    read(then) { journal throws(JournalError) in try journal.activate(actor) }
  }

  package func records(
    of actor: ActorAddress, matching query: RecordQuery,
    then: @escaping @Sendable (Result<RecordPage, JournalError>) -> Void
  ) {
    read(then) { journal throws(JournalError) in try journal.records(of: actor, matching: query) }
  }

  package func notifications(
    of actor: ActorAddress, matching query: NotificationQuery,
    then: @escaping @Sendable (Result<NotificationPage, JournalError>) -> Void
  ) {
    read(then) { journal throws(JournalError) in try journal.notifications(of: actor, matching: query) }
  }

  package func archived(
    _ wanted: ArchivedRecords, of actor: ActorAddress,
    then: @escaping @Sendable (Result<[StoredRecord], JournalError>) -> Void
  ) {
    read(then) { journal throws(JournalError) in try journal.archived(wanted, of: actor) }
  }

  package func events(
    of actor: ActorAddress, after sequence: UInt64, limit: Int,
    then: @escaping @Sendable (Result<[JournalEvent], JournalError>) -> Void
  ) {
    read(then) { journal throws(JournalError) in try journal.events(of: actor, after: sequence, limit: limit) }
  }

  package func actors(
    world: String, kind: ActorAddress.Kind, then: @escaping @Sendable (Result<[String], JournalError>) -> Void
  ) {
    read(then) { journal throws(JournalError) in try journal.actors(world: world, kind: kind) }
  }

  /// `then` gets the world's new epoch.
  package func erase(
    world: String, keeping: [ActorAddress], then: @escaping @Sendable (Result<UInt64, JournalError>) -> Void
  ) {
    add(
      .barrier { journal in
        then(
          journal.flatMap { journal in
            Result { () throws(JournalError) in try journal.erase(world: world, keeping: keeping) }
          })
      })
  }

  package var counters: JournalWriterCounters {
    condition.withLock {
      var counters = counts
      counters.queueDepth = queue.count
      return counters
    }
  }

  private func read<Value>(
    _ then: @escaping @Sendable (Result<Value, JournalError>) -> Void,
    _ body: @escaping @Sendable (any Journal) throws(JournalError) -> Value
  ) {
    add(
      .read { journal in
        then(journal.flatMap { journal in Result { () throws(JournalError) in try body(journal) } })
      })
  }

  private func add(_ work: JournalWorkQueue.Work) {
    condition.lock()
    let refusal: JournalError? =
      switch state {
      case .new, .running: nil
      case .stopping: .writerStopped
      case .stopped(let error): error
      }
    if refusal == nil {
      queue.add(work)
      condition.signal()
    }
    condition.unlock()
    if let refusal { JournalWriter.refuse([work], refusal) }
  }

  private static func refuse(_ all: [JournalWorkQueue.Work], _ error: JournalError) {
    for work in all {
      switch work {
      case .append(let append): append.then(.failure(error))
      case .read(let read), .barrier(let read): read(.failure(error))
      }
    }
  }
}

/// What runs on the journal's thread.
extension JournalWriter {
  private func run(_ done: @Sendable (Result<JournalRecovery, JournalError>) -> Void) {
    let journal: any Journal
    do throws(JournalError) {
      journal = try opening()
    } catch {
      return end(error) { done(.failure(error)) }
    }
    do throws(JournalError) {
      done(.success(try journal.recover()))
    } catch {
      journal.close()
      return end(error) { done(.failure(error)) }
    }
    while let turn = nextTurn() {
      commit(turn.appends, to: journal)
      for read in turn.reads { read(.success(journal)) }
    }
    journal.close()
    end(.writerStopped) {}
  }

  /// Waits for work; nil when the writer stops and all is done.
  private func nextTurn() -> JournalWorkQueue.Turn? {
    condition.withLock {
      while true {
        if let turn = queue.takeTurn() { return turn }
        guard case .running = state else { return nil }
        condition.wait()
      }
    }
  }

  private func end(_ error: JournalError, _ last: () -> Void) {
    let abandoned: [JournalWorkQueue.Work] = condition.withLock {
      state = .stopped(error)
      return queue.takeAll()
    }
    last()
    JournalWriter.refuse(abandoned, error)
    condition.withLock {
      thread = nil
      condition.broadcast()
    }
  }

  private func commit(_ group: [JournalWorkQueue.Append], to journal: any Journal) {
    guard !group.isEmpty else { return }
    let began = ContinuousClock.now
    do throws(JournalError) {
      let results = try journal.commit(group.count == 1 ? group[0].appends : group.flatMap(\.appends))
      count(group, results, ContinuousClock.now - began)
      var start = 0
      for append in group {
        let end = start + append.appends.count
        append.then(end <= results.count ? .success(Array(results[start..<end])) : .failure(.missingResult))
        start = end
      }
    } catch {
      let duration = ContinuousClock.now - began
      condition.withLock {
        counts.failedCommits += 1
        counts.commitTimes.add(duration)
      }
      guard group.count > 1 else {
        for append in group { append.then(.failure(error)) }
        return
      }
      // One that cannot be stored, too big for what is left of the disk for example, must not take the others along.
      for append in group { commit([append], to: journal) }
    }
  }

  private func count(_ group: [JournalWorkQueue.Append], _ results: [JournalAppendResult], _ duration: Duration) {
    var committed: UInt64 = 0
    var bytes = 0
    // A commit has events of few names: to look through them is cheaper than to hash two names for each event.
    var events: [(kind: String, name: String, count: UInt64)] = []
    var place = 0
    for group in group {
      for index in group.appends.indices {
        defer { place += 1 }
        guard place < results.count, case .committed = results[place] else { continue }
        committed += 1
        bytes += group.appends[index].byteCount
        let kind = group.appends[index].actor.kind.rawValue
        for event in group.appends[index].events {
          if let known = events.firstIndex(where: { $0.name == event.name && $0.kind == kind }) {
            events[known].count += 1
          } else {
            events.append((kind, event.name, 1))
          }
        }
      }
    }
    condition.withLock {
      counts.commits += 1
      counts.commitTimes.add(duration)
      for event in events { counts.events[event.kind, default: [:]][event.name, default: 0] += event.count }
      counts.appends += committed
      counts.refusedAppends += UInt64(results.count) - committed
      counts.bytes += UInt64(bytes)
    }
  }
}

extension JournalError {
  fileprivate static let writerStopped = JournalError(
    .failed, "The journal is closed because this node is stopping. Try again on the node that takes over.")
  fileprivate static let missingResult = JournalError(
    .failed, "The journal answered fewer appends than it was given. Please report this.")
}
