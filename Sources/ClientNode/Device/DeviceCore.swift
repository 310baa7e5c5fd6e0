import Foundation
import Shared
import Wire

/// One simulated phone: its local store, the changes on their way into it, and the app that runs on it, as a value.
///
/// It does no I/O: what it wants done it appends to `effects`. Requests to the store are the node's matter, since
/// devices of one account share them.
struct DeviceCore: Sendable {
  let name: String
  var store: LocalStore
  var app: AppSession?
  /// The app that the host is putting away.
  var endingApp: AppID?

  /// What the App Store has for the app, until it runs.
  var waitingNotices: [AppNotice] = []

  /// Where the changes in `queue` lead.
  private(set) var received: StreamPosition
  private(set) var queue: [IncomingChange] = []
  /// Set once the device knows that it is where its account was at some moment since it came online.
  var checkedAt: StreamPosition?

  // What tests break.
  var updatesToLose = 0
  var catchesUp = true
  var tampering: (fault: TamperCopies.Fault, count: Int)?
  var gates = Gates()
  var errors = SimulatedErrors()
  var network: FaultyNetwork
  var purchasesAllowed = true
  var interruptsPurchases = false

  /// Events for this phone that a simulated network still carries.
  var updatesInTransit = 0
  /// The highest position that the store has told this phone itself.
  private var toldHead = StreamPosition.start

  /// The world's.
  var habits: Habits
  /// The monotonic instant of the turn that is being taken.
  var now = MonotonicTime(microseconds: 0)
  /// Announced, and not in listings until then.
  var unlistedUntil: [TransactionID: MonotonicTime] = [:]
  /// Lineages whose status reads expired until then.
  var expiredUntil: [TransactionID: MonotonicTime] = [:]

  /// Launches whose calls after their end were logged.
  private var logged: Set<UInt64> = []
  /// Lineages claimed in this process, by user.
  var claimed: Set<ClaimKey> = []
  var mayHaveClaims = true

  struct ClaimKey: Hashable, Sendable {
    var lineage: TransactionID
    var user: UUID
  }

  init(name: String, store: LocalStore, seed: UInt64, habits: Habits = Habits()) {
    self.name = name
    network = FaultyNetwork(seed: seed)
    self.habits = habits
    self.store = store
    received = store.state.applied
  }

  var isOnline: Bool { store.state.online }
  var account: String { store.state.account }
  var applied: StreamPosition { store.state.applied }

  /// Whether what the local store shows is what the account had at some moment since the device came online.
  var isSynced: Bool {
    guard isOnline else { return false }
    guard catchesUp else { return true }
    return checkedAt.map { applied >= $0 } ?? false
  }

  /// Whether the device wants to be told what it missed, given how far its account is known to be.
  func needsCatchUp(head: StreamPosition) -> Bool {
    isOnline && catchesUp && updatesInTransit == 0 && (received < (hearsEvents ? head : toldHead) || checkedAt == nil)
  }

  /// Whether events and heartbeats reach the phone.
  var hearsEvents: Bool { network.faults?.blocked != .events }

  /// The store's answer to the phone itself says where the account is.
  mutating func heard(_ position: StreamPosition) { toldHead = max(toldHead, position) }

  /// What tests have done to it; nil for nothing.
  var faults: DeviceFaults? {
    guard !gates.isOpen || !errors.isEmpty || network.faults != nil || !purchasesAllowed || interruptsPurchases else {
      return nil
    }
    let waiting = app?.waiting ?? []
    let held = gates.held.sorted { $0.rawValue < $1.rawValue }.map { gate in
      HeldGate(gate: gate, waiting: waiting.filter { $0.gate == gate }.map(\.call.subject))
    }
    return DeviceFaults(
      gates: held, errors: errors.list, network: network.faults, purchasesAllowed: purchasesAllowed,
      interruptsPurchases: interruptsPurchases)
  }

  /// - Parameter mostUpdates: how many elements of `updates` it lists, the newest.
  func report(mostUpdates: Int = AppSession.mostSeen) -> DeviceReport {
    DeviceReport(
      device: name, account: account, incarnation: app?.id.incarnation, online: isOnline, epoch: applied.epoch,
      sequence: applied.sequence, unfinished: store.history.unfinished.map(\.transactionId),
      updates: app?.seen.suffix(mostUpdates) ?? [], screen: app?.screen, faults: faults)
  }

  /// One line for each launch that calls after its end.
  mutating func logDead(_ id: AppID, _ effects: inout [ClientEffect]) {
    guard logged.insert(id.incarnation).inserted else { return }
    effects.append(
      .log(
        "device \(name): launch \(id.incarnation) of its app is over, and what it still asks of the store is refused: "
          + "let tasks that the app starts hold it weakly, and end them with it"))
  }

  // MARK: From the store

  /// - Parameter live: whether it was published, and not asked for.
  /// - Returns: whether events are missing.
  mutating func receive(_ update: AccountUpdate, epoch: UInt64, live: Bool) -> Bool {
    guard isOnline else { return false }
    let position = StreamPosition(epoch: epoch, sequence: update.sequence)
    let step = received.step(to: position)
    if step == .old { return false }
    if live, updatesToLose > 0 {
      updatesToLose -= 1
      return false
    }
    // What an account has lost is in no event: the snapshot says what is left.
    if AccountUpdate.losses.contains(update.name) { return catchesUp }
    // A device that does not catch up takes what it gets, and does not notice what it lacks.
    guard step == .next || (!catchesUp && received.epoch == epoch) else { return catchesUp }
    enqueue(.update(update), at: position, isLive: live)
    return false
  }

  /// Takes the account's whole history instead of what may be missing.
  mutating func receive(
    _ snapshot: TransactionHistory, storefront: String?, at position: StreamPosition, call: CallID? = nil
  ) {
    guard isOnline else { return }
    if position >= received {
      guard position > received || call != nil else { return }
      enqueue(.snapshot(snapshot, storefront: storefront), at: position, call: call)
    } else if position.epoch == received.epoch {
      // Asked for anew while events overtook the answer: what it adds is taken, what is newer here stays.
      let update = AccountUpdate(
        sequence: received.sequence, name: "synced", at: StoreTime(milliseconds: 0), records: snapshot.records,
        renewalInfos: Array(snapshot.renewalInfos.values))
      enqueue(.update(update), at: received, call: call)
    }
  }

  private mutating func enqueue(
    _ content: IncomingChange.Content, at position: StreamPosition, isLive: Bool = false, call: CallID? = nil
  ) {
    let isNewEpoch = position.epoch != received.epoch
    received = position
    var missing: [WantedCopy.Subject: UInt64] = [:]
    func want(_ subject: WantedCopy.Subject, _ revision: UInt64) {
      if !isNewEpoch, let copy = store.copy(subject), copy.revision >= revision { return }
      missing[subject] = revision
    }
    switch content {
    case .update(let update):
      for record in update.records { want(.transaction(record.transactionId), record.recordRevision) }
      for info in update.renewalInfos { want(.renewalInfo(info.originalTransactionId), info.recordRevision) }
    case .snapshot(let history, _):
      for record in history.records { want(.transaction(record.transactionId), record.recordRevision) }
      for info in history.renewalInfos.values { want(.renewalInfo(info.originalTransactionId), info.recordRevision) }
    }
    queue.append(IncomingChange(position: position, content: content, missing: missing, isLive: isLive, call: call))
  }

  /// Whether a change that this `sync()` asked for is still on its way.
  func isWaiting(for call: CallID) -> Bool { queue.contains { $0.call == call } }

  /// The copies that the device waits for, at most `limit`.
  func missingCopies(limit: Int) -> [WantedCopy.Subject] {
    var subjects: [WantedCopy.Subject] = []
    for change in queue where subjects.count < limit {
      // Dictionaries have no order that a run could repeat.
      let sorted = change.missing.keys.sorted { $0.order < $1.order }
      for subject in sorted where subjects.count < limit && !subjects.contains(subject) { subjects.append(subject) }
    }
    return subjects
  }

  /// Whether a change waits for the copy.
  func lacks(_ subject: WantedCopy.Subject) -> Bool { queue.contains { $0.missing[subject] != nil } }

  /// - Parameter revision: the one that was signed; nil when the account has nothing of the kind.
  mutating func accept(_ subject: WantedCopy.Subject, revision: UInt64?, copy: SignedCopy) {
    for place in queue.indices {
      guard let least = queue[place].missing[subject] else { continue }
      var copy = copy
      // The store is asked after it said that the revision exists. Should it give less all the same, that is shown:
      // waiting would hold up everything behind it for ever.
      copy.revision = place == queue.startIndex || revision == nil ? max(copy.revision, least) : copy.revision
      queue[place].accept(copy, for: subject)
    }
  }

  /// Applies what is complete, in order, and tells the app what is news to it.
  mutating func advance(_ effects: inout [ClientEffect]) {
    while let change = queue.first, change.missing.isEmpty {
      queue.removeFirst()
      apply(change, &effects)
      if let call = change.call {
        reappearAfterSync()
        app?.syncs.remove(call)
        answer(call, .success(.done), &effects)
      }
    }
  }

  // MARK: Online and offline

  mutating func setOnline(_ online: Bool) {
    guard online != isOnline else { return }
    store.change { $0.online = online }
    checkedAt = nil
    // What was on its way is lost with the connection.
    queue = []
    received = applied
    if online { mayHaveClaims = true }
  }

  /// Takes the next history for the whole truth, whatever the local store believes.
  mutating func startOver() {
    queue = []
    received = .start
    checkedAt = nil
  }

  /// Contact with the server was lost, or begins anew: whether anything was missed is open.
  mutating func forgetCheck() { checkedAt = nil }
}

extension WantedCopy.Subject {
  /// Transactions before renewal infos, each in order of purchase.
  fileprivate var order: (Int, TransactionID) {
    switch self {
    case .transaction(let id): (0, id)
    case .renewalInfo(let id): (1, id)
    }
  }
}
