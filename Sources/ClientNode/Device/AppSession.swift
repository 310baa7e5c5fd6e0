import Foundation
import Shared
import Wire

/// One launch of a device's app, from the start of its initializer until it is killed.
struct AppSession: Sendable {
  enum Phase: Sendable {
    /// The initializer runs.
    case starting
    case running
  }

  /// A purchase whose answer the app waits for.
  struct OpenPurchase: Sendable {
    var request: RequestID
    /// The store's answer: the transaction, shown once the local store has come to the position.
    var result: (id: TransactionID, at: StreamPosition)?
    /// News that this purchase caused: they are its result, and not also an update, as long as it gives one.
    var withheld: [TransactionID] = []
    let order: PurchaseOrder
    /// Where its result stands at the gate.
    var gate = GatePlace.before
  }

  enum GatePlace: Sendable { case before, waiting, passed }

  /// A call that waits at a gate.
  struct WaitingCall: Sendable {
    var gate: HoldGate.Gate
    var id: CallID
    var call: DaemonCall
  }

  /// What is to happen at a later instant, as a habit wants it.
  struct LaterDelivery: Sendable {
    enum Content: Sendable {
      case transaction(TransactionID)
      case status(lineage: TransactionID)
    }

    var at: MonotonicTime
    var content: Content
  }

  let id: AppID
  let begunAt: MonotonicTime
  var phase = Phase.starting
  /// Set when the initializer has returned: until then a new iterator gets the launch replay.
  var windowEnds: MonotonicTime?
  var hasAppeared = false
  var hasReplayed = false
  /// What happened since the launch and before the replay, which offers it.
  var newsBeforeReplay: Set<TransactionID> = []
  var iterators: [IteratorID] = []
  /// Those that a test before this one may have left behind. They get everything, but are not counted on: with
  /// `bufferedReplay`, what comes while nobody else listens waits for the next one too.
  var aged: Set<IteratorID> = []
  var hasListener: Bool { iterators.contains { !aged.contains($0) } }
  /// Iterators that get the launch replay as soon as the local store is ready for it.
  var awaitingReplay: [IteratorID] = []
  var statusIterators: [IteratorID] = []
  var storefrontIterators: [IteratorID] = []
  /// What the app knows of where its account buys; set when it starts.
  var storefront = ""

  var openCalls: Set<CallID> = []
  var purchases: [CallID: OpenPurchase] = [:]
  /// Calls of `sync` that are not answered yet.
  var syncs: Set<CallID> = []
  /// Calls that wait until the local store has loaded.
  var waitingQueries: [(id: CallID, call: DaemonCall)] = []
  /// Set while queries wait for the store although there is something to show.
  var isPatient = false
  /// Calls that wait at gates, the oldest first.
  var waiting: [WaitingCall] = []
  /// Calls of `finish` whose mark is made, until it is safe.
  var finishing: [CallID: TransactionID] = [:]

  /// What `purchase()` returned in this launch: known to the app, so no news to it.
  var purchased: Set<TransactionID> = []
  /// News that are held back since a newer state of the transaction is known to be on its way.
  var coalesced: Set<TransactionID> = []
  /// Repetitions and late announcements, in no order.
  var later: [LaterDelivery] = []
  /// When what is unfinished is announced again; nil while no habit wants it.
  var nextRepetition: MonotonicTime?
  /// What waits for the first iterator, as the habit `bufferedReplay` wants it.
  var kept: [TransactionID] = []
  /// Finished transactions that show as unfinished.
  var reappeared: Set<TransactionID> = []
  /// Whether the local store was in step with the account once in this launch.
  var hadContact = false
  var seen: [SeenUpdate] = []
  private(set) var seenCount = 0

  var screen: AppScreen?
  var screenRead = ScreenRead.idle
  enum ScreenRead: Sendable { case idle, reading, readingStale }

  /// How many elements a report lists, the newest.
  static let mostSeen = 1_000

  init(id: AppID, at now: MonotonicTime) {
    self.id = id
    begunAt = now
  }

  mutating func note(_ element: SignedTransaction) {
    let record = element.record
    let entry = SeenUpdate(
      transactionId: record.transactionId, productId: record.productId, recordRevision: record.recordRevision,
      revoked: record.revocation != nil, unverified: element.failure?.rawValue)
    if seen.count >= AppSession.mostSeen { seen.removeFirst(seen.count - AppSession.mostSeen + 1) }
    seen.append(entry)
    seenCount += 1
  }
}
