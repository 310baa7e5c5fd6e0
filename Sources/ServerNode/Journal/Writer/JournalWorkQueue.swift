/// What waits for the journal's thread, in order of arrival.
///
/// Unbounded on purpose: an append that waits here is an answer that was already decided, so refusing it would waste
/// it and blocking would stall every socket of the node. The bound is upstream: an actor takes its next command only
/// after its append is answered, which leaves at most one append for each busy actor, and mailboxes are bounded.
struct JournalWorkQueue {
  typealias Read = @Sendable (Result<any Journal, JournalError>) -> Void

  struct Append {
    var appends: [JournalAppend]
    var byteCount: Int
    var then: @Sendable (Result<[JournalAppendResult], JournalError>) -> Void
  }

  enum Work {
    case append(Append)
    /// May run after appends that came later, never before appends that came earlier.
    case read(Read)
    /// Runs alone, after all that came earlier and before all that came later.
    case barrier(Read)
  }

  /// What the thread does next: the appends go to the disk together, then the reads run.
  struct Turn {
    var appends: [Append] = []
    var reads: [Read] = []
  }

  /// The most that one commit takes along; it bounds how long a reply waits for others, and the transaction's memory.
  static let maximumAppends = 1_024
  static let maximumBytes = 4 << 20

  private var waiting: [Work] = []

  var count: Int { waiting.count }

  mutating func add(_ work: Work) { waiting.append(work) }

  mutating func takeAll() -> [Work] {
    defer { waiting = [] }
    return waiting
  }

  /// Nil when nothing waits. An entry that is bigger than the bounds goes alone.
  mutating func takeTurn() -> Turn? {
    var turn = Turn()
    var taken = 0
    var appends = 0
    var bytes = 0
    loop: for work in waiting {
      switch work {
      case .append(let append):
        appends += append.appends.count
        bytes += append.byteCount
        let fits = appends <= JournalWorkQueue.maximumAppends && bytes <= JournalWorkQueue.maximumBytes
        guard fits || turn.appends.isEmpty else { break loop }
        turn.appends.append(append)
      case .read(let read):
        guard turn.reads.count < JournalWorkQueue.maximumAppends else { break loop }
        turn.reads.append(read)
      case .barrier(let read):
        guard taken == 0 else { break loop }
        turn.reads.append(read)
        taken = 1
        break loop
      }
      taken += 1
    }
    waiting.removeFirst(taken)
    return taken == 0 ? nil : turn
  }
}
