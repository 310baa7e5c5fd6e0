import Shared
import Synchronization
import Wire

/// Carries what apps ask, from whatever thread they run on, to the node, and the answers back.
///
/// It keeps iterators weakly: when the app lets go of one, the node is told and keeps nothing of it.
final class DaemonBridge: Sendable {
  typealias Answer = CheckedContinuation<Result<DaemonAnswer, DaemonError>, Never>

  private struct Weak<Stream: AnyObject & Sendable>: Sendable { weak var stream: Stream? }

  private struct State {
    var isClosed = false
    var calls: [CallID: Answer] = [:]
    var transactions: [IteratorID: Weak<DaemonStream<SignedTransaction>>] = [:]
    var statuses: [IteratorID: Weak<DaemonStream<SignedStatus>>] = [:]
    /// Of the launches that run.
    var notices: [AppID: NoticeBoard] = [:]
    var storefronts: [IteratorID: Weak<DaemonStream<String>>] = [:]
  }

  private static let lastNumber = Atomic<UInt64>(0)
  private let state = Mutex(State())
  private let deliver: @Sendable (ClientInput) -> Void

  /// - Parameter deliver: gives an input to the node, in the order of the calls.
  init(deliver: @escaping @Sendable (ClientInput) -> Void) { self.deliver = deliver }

  private static func number() -> UInt64 { lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }

  // MARK: From apps

  func call(_ call: DaemonCall, from app: AppID) async -> Result<DaemonAnswer, DaemonError> {
    await withCheckedContinuation { continuation in
      let id = CallID(DaemonBridge.number())
      let isClosed = state.withLock { state in
        if !state.isClosed { state.calls[id] = continuation }
        return state.isClosed
      }
      if isClosed {
        continuation.resume(returning: .failure(.appNotRunning))
      } else {
        deliver(.call(id, app, call, isCancelled: Task.isCancelled))
      }
    }
  }

  func updates(of app: AppID) -> DaemonStream<SignedTransaction> {
    let id = IteratorID(DaemonBridge.number())
    let stream = DaemonStream<SignedTransaction> { [weak self] unread in
      self?.closed(id, app, unread: unread.map(\.record.transactionId))
    }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.transactions[id] = Weak(stream: stream) }
      return state.isClosed
    }
    if isClosed { stream.end() } else { deliver(.iteratorOpened(id, app, .transactions)) }
    return stream
  }

  func statusUpdates(of app: AppID) -> DaemonStream<SignedStatus> {
    let id = IteratorID(DaemonBridge.number())
    let stream = DaemonStream<SignedStatus> { [weak self] _ in self?.closed(id, app, unread: []) }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.statuses[id] = Weak(stream: stream) }
      return state.isClosed
    }
    if isClosed { stream.end() } else { deliver(.iteratorOpened(id, app, .statuses)) }
    return stream
  }

  func messages(of app: AppID) -> DaemonStream<SendMessage.Reason> {
    let stream = DaemonStream<SendMessage.Reason>()
    if !state.withLock({ $0.notices[app]?.add(stream) != nil }) { stream.end() }
    return stream
  }

  func purchaseIntents(of app: AppID) -> DaemonStream<SendPurchaseIntent> {
    let stream = DaemonStream<SendPurchaseIntent>()
    if !state.withLock({ $0.notices[app]?.add(stream) != nil }) { stream.end() }
    return stream
  }

  func storefrontUpdates(of app: AppID) -> DaemonStream<String> {
    let id = IteratorID(DaemonBridge.number())
    let stream = DaemonStream<String> { [weak self] _ in self?.closed(id, app, unread: []) }
    let isClosed = state.withLock { state in
      if !state.isClosed { state.storefronts[id] = Weak(stream: stream) }
      return state.isClosed
    }
    if isClosed { stream.end() } else { deliver(.iteratorOpened(id, app, .storefronts)) }
    return stream
  }

  func appeared(_ app: AppID) { deliver(.appAppeared(app)) }

  private func closed(_ id: IteratorID, _ app: AppID, unread: [TransactionID]) {
    let isClosed = state.withLock { state in
      state.transactions[id] = nil
      state.statuses[id] = nil
      state.storefronts[id] = nil
      return state.isClosed
    }
    if !isClosed { deliver(.iteratorClosed(id, app, unread: unread)) }
  }

  // MARK: From the node

  func answer(_ id: CallID, _ result: Result<DaemonAnswer, DaemonError>) {
    state.withLock { $0.calls.removeValue(forKey: id) }?.resume(returning: result)
  }

  func yield(_ ids: [IteratorID], _ element: StreamElement) {
    // Outside the lock: an iterator that is let go of here calls `closed`.
    switch element {
    case .transaction(let value):
      let streams = state.withLock { state in ids.compactMap { state.transactions[$0]?.stream } }
      for stream in streams { stream.yield(value) }
    case .status(let value):
      let streams = state.withLock { state in ids.compactMap { state.statuses[$0]?.stream } }
      for stream in streams { stream.yield(value) }
    case .storefront(let value):
      let streams = state.withLock { state in ids.compactMap { state.storefronts[$0]?.stream } }
      for stream in streams { stream.yield(value) }
    }
  }

  func started(_ app: AppID) { state.withLock { $0.notices[app] = NoticeBoard() } }
  func post(_ notice: AppNotice, to app: AppID) { state.withLock { $0.notices[app]?.post(notice) } }
  func killed(_ app: AppID) { state.withLock { $0.notices.removeValue(forKey: app) }?.end() }

  func end(_ ids: [IteratorID]) {
    let (transactions, statuses, storefronts) = state.withLock { state in
      (
        ids.compactMap { state.transactions[$0]?.stream }, ids.compactMap { state.statuses[$0]?.stream },
        ids.compactMap { state.storefronts[$0]?.stream }
      )
    }
    for stream in transactions { stream.end() }
    for stream in statuses { stream.end() }
    for stream in storefronts { stream.end() }
  }

  /// The node is gone: nobody waits for it any more.
  func close() {
    let last = state.withLock { state in
      let last = state
      state = State()
      state.isClosed = true
      return last
    }
    for call in last.calls.values { call.resume(returning: .failure(.appNotRunning)) }
    for entry in last.transactions.values { entry.stream?.end() }
    for entry in last.statuses.values { entry.stream?.end() }
    for notices in last.notices.values { notices.end() }
    for entry in last.storefronts.values { entry.stream?.end() }
  }
}
