import Foundation
import Shared
import Wire

/// One actor on the node: its state, its mailbox, and where it is in its turn.
///
/// It takes its next message only after the events of the one before are on disk or refused.
struct ActorCell {
  enum Phase {
    case loading
    case ready
    /// A turn's events are on their way to the disk.
    case committing(Ticket)
    /// A message waits for transactions from the archive.
    case reading(Ticket)
  }

  var actor: any StoreActor
  var phase = Phase.loading
  var mailbox = Mailbox<Envelope>()
  var sequence: UInt64 = 0
  /// For how many events the stored snapshot stands.
  var snapshotSequence: UInt64 = 0
  /// The store time of the newest event.
  var lastEventAt = StoreTime(milliseconds: .min)
  var answered = AnsweredRequests()
  /// The number of the last effect applied from each source.
  var applied: [ActorAddress: UInt64] = [:]
  /// The number of the last effect sent to each target.
  var sent: [ActorAddress: UInt64] = [:]
  var timers: [String: StoreTime] = [:]
  /// Requests that wait for another actor's word, by what they wait for.
  var waiting: [String: [Asker]] = [:]
  /// For eviction: the number of the node's turn in which the actor was last used.
  var lastTurn: UInt64 = 0

  init(_ actor: any StoreActor) { self.actor = actor }

  /// The small things that a turn needs to know of its cell.
  struct Glance {
    var phase: Phase
    var sequence: UInt64
    var lastEventAt: StoreTime
  }

  /// Mutating, so that a cell in a dictionary is looked at where it is: a dictionary hands out copies of values that are
  /// only read, and a copy of an actor costs more than a turn needs otherwise.
  mutating func glance() -> Glance {
    Glance(phase: phase, sequence: sequence, lastEventAt: lastEventAt)
  }

  /// What the actor's own next turn has to know of a commit.
  mutating func remember(_ commit: PendingCommit, sequence: UInt64) {
    self.sequence = sequence
    if commit.append.snapshot != nil { snapshotSequence = sequence }
    timers = commit.timers
    if let answer = commit.append.answered { answered.add(answer) }
    if let id = commit.append.applies { applied[id.source] = id.number }
    for effect in commit.append.effects { sent[effect.id.target] = effect.id.number }
    noteEvents(commit.append.events)
  }

  mutating func noteEvents(_ events: [JournalEvent]) {
    for event in events { lastEventAt = max(lastEventAt, StoreTime(milliseconds: event.at)) }
  }

  /// A snapshot is stored when this many events have come since the last one: it costs about as much as one event more,
  /// and an activation reads no more events than these.
  static let eventsPerSnapshot: UInt64 = 64

  /// The state for the journal when it is time for it, once the actor has `sequence` events.
  func snapshot(at sequence: UInt64) -> Data? {
    sequence - min(sequence, snapshotSequence) >= actor.eventsPerSnapshot ? actor.snapshot : nil
  }

  var isReady: Bool {
    if case .loading = phase { return false }
    return true
  }

  /// A mailbox longer than this refuses requests: whoever asks so much faster than the disk writes has to wait.
  static let mostMessages = 10_000
}

/// Who asked, and under which id.
struct Asker: Hashable, Sendable {
  var peer: PeerID
  var id: RequestID
}

/// A message in a mailbox, with its sender.
enum Envelope: Sendable {
  case request(Asker, name: String, body: Data, attachments: [Data])
  case effect(OutboundEffect)
  case timer(name: String, due: StoreTime)
  case delivery(NotificationReport)
  /// A subscriber came: tell it where the actor is.
  case subscriber(topic: String)
}

/// The newest answered requests of an actor.
struct AnsweredRequests {
  private var replies: [RequestID: Data] = [:]
  private var order = Mailbox<RequestID>()

  mutating func add(_ request: AnsweredRequest) {
    guard replies.updateValue(request.reply, forKey: request.id) == nil else { return }
    order.append(request.id)
    if order.count > AnsweredRequest.keptPerActor, let oldest = order.popFirst() { replies[oldest] = nil }
  }

  subscript(id: RequestID) -> Data? { replies[id] }
}

/// What happens once a turn's events are on disk.
struct PendingCommit {
  var address: ActorAddress
  var envelope: Envelope
  var append: JournalAppend
  var publications: [ActorOutcome.Publication?]
  var reply: ActorOutcome.Reply
  /// What a `later` reply waits for.
  var waitsFor: String?
  /// What is now known, for the requests that waited for it.
  var completed: [(key: String, result: Result<Data, WireError>)]
  var timers: [String: StoreTime]

  /// What others hear of it.
  var news: CommitNews {
    CommitNews(
      address: address, sequence: append.expectedSequence, events: append.events, publications: publications,
      completed: completed)
  }

  /// Whether there is anything to store.
  var needsAppend: Bool {
    !append.events.isEmpty || !append.effects.isEmpty || !append.timers.isEmpty || append.applies != nil
  }
}
