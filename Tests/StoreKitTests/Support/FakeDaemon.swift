import ClientNode
import Foundation
import Shared
import Synchronization
import Wire

/// A device's daemon with an account in memory, that remembers what it was asked.
final class FakeDaemon: StoreDaemon {
  enum Call: Hashable, Sendable {
    case products([String])
    case purchase(PurchaseOrder)
    case finish(TransactionID)
    case sync
    case query(TransactionQuery)
    case appTransaction(refresh: Bool)
    case requestRefund(TransactionID)
    case show(StoreSheet)
    case load
    case appear
  }

  private struct State {
    var history = TransactionHistory()
    var failures: [TransactionID: VerificationFailure] = [:]
    var jws: [TransactionID: String] = [:]
    var products: [CatalogProduct] = []
    var groups: [String: String] = [:]
    var purchase: @Sendable (PurchaseOrder) throws(DaemonError) -> PurchaseOutcome = { _ throws(DaemonError) in
      throw .refused(.productUnavailable, "not for sale")
    }
    var syncError: DaemonError?
    var refundError: DaemonError?
    var appTransaction: SignedAppTransaction?
    var messages: [DaemonStream<SendMessage.Reason>] = []
    var intents: [DaemonStream<SendPurchaseIntent>] = []
    var isEligible = true
    var hasEnded = false
    /// Whether `currentEntitlements` is empty, until a `load()` has waited for the store.
    var startsCold = false
    /// How often `currentEntitlements` is still to be read before it lists everything.
    var readingsToLag = 0
    var calls: [Call] = []
    var updates: [DaemonStream<SignedTransaction>] = []
    var statusUpdates: [DaemonStream<SignedStatus>] = []
    var storefront = "USA"
    var storefrontUpdates: [DaemonStream<String>] = []
    var isHolding = false
    var held: [CheckedContinuation<Void, Never>] = []
    var waiting: [(condition: @Sendable ([Call]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  let device: DeviceIdentity
  private let state = Mutex(State())

  init(_ name: String = "phone", incarnation: UInt64 = 1, canMakePayments: Bool = true) {
    var device = DeviceIdentity(
      world: "test", name: name, account: "alice", bundleId: "com.example.app", incarnation: incarnation,
      deviceVerificationId: UUID())
    device.canMakePayments = canMakePayments
    self.device = device
  }

  // MARK: For tests

  var calls: [Call] { state.withLock { $0.calls } }
  var finished: [TransactionID] {
    calls.compactMap { call in
      if case .finish(let id) = call { id } else { nil }
    }
  }
  var listenerCount: Int { state.withLock { $0.updates.count } }

  /// Returns when the calls so far satisfy the condition.
  func wait(until condition: @escaping @Sendable ([Call]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isTrue = state.withLock { state in
        if condition(state.calls) { return true }
        state.waiting.append((condition, continuation))
        return false
      }
      if isTrue { continuation.resume() }
    }
  }

  func waitUntilFinished(_ id: TransactionID) async { await wait { $0.contains(.finish(id)) } }

  func sell(_ products: CatalogProduct..., groups: [String: String] = [:]) {
    state.withLock {
      $0.products = products
      $0.groups = groups
    }
  }

  func answerPurchases(_ answer: @escaping @Sendable (PurchaseOrder) throws(DaemonError) -> PurchaseOutcome) {
    state.withLock { $0.purchase = answer }
  }

  func failSync(_ error: DaemonError) { state.withLock { $0.syncError = error } }
  func failRefunds(_ error: DaemonError) { state.withLock { $0.refundError = error } }
  func put(_ appTransaction: SignedAppTransaction) { state.withLock { $0.appTransaction = appTransaction } }

  func send(_ reason: SendMessage.Reason) {
    for stream in state.withLock({ $0.messages }) { stream.yield(reason) }
  }

  func send(_ intent: SendPurchaseIntent) {
    for stream in state.withLock({ $0.intents }) { stream.yield(intent) }
  }

  func setEligible(_ isEligible: Bool) { state.withLock { $0.isEligible = isEligible } }

  /// The local store has not loaded yet: queries that do not wait for it find nothing.
  func startCold() { state.withLock { $0.startsCold = true } }

  /// The next readings of the entitlements find nothing.
  func lag(readings: Int) { state.withLock { $0.readingsToLag = readings } }

  /// Adds a transaction that nobody is told about.
  func put(_ record: TransactionRecord, failure: VerificationFailure? = nil, jws: String? = nil) {
    state.withLock {
      $0.history.put(record)
      $0.failures[record.transactionId] = failure
      $0.jws[record.transactionId] = jws
    }
  }

  func put(_ info: RenewalInfo) { state.withLock { _ = $0.history.put(info) } }

  /// Adds a transaction, or changes it, and tells every iterator of `updates`.
  func announce(_ record: TransactionRecord, failure: VerificationFailure? = nil, jws: String? = nil) {
    put(record, failure: failure, jws: jws)
    let (streams, signed) = state.withLock { ($0.updates, Self.sign(record, in: $0)) }
    for stream in streams { stream.yield(signed) }
  }

  /// Announces it again as it is.
  func announceAgain(_ id: TransactionID) {
    let (streams, signed) = state.withLock { state in
      (state.updates, state.history[id].map { Self.sign($0, in: state) })
    }
    for stream in streams { signed.map(stream.yield) }
  }

  func announce(_ info: RenewalInfo) {
    put(info)
    let (streams, status) = state.withLock { ($0.statusUpdates, Self.status(info, in: $0)) }
    for stream in streams { status.map(stream.yield) }
  }

  /// The account moves to another country.
  func move(to storefront: String) {
    let streams = state.withLock { state in
      state.storefront = storefront
      return state.storefrontUpdates
    }
    for stream in streams { stream.yield(storefront) }
  }

  /// What the app was killed with: its iterators end.
  func end() {
    let (updates, statusUpdates, storefrontUpdates) = state.withLock { state in
      state.hasEnded = true
      return (state.updates, state.statusUpdates, state.storefrontUpdates)
    }
    for stream in storefrontUpdates { stream.end() }
    for stream in updates { stream.end() }
    for stream in statusUpdates { stream.end() }
  }

  /// Queries read their snapshot and then wait until they are let go.
  func holdQueries() { state.withLock { $0.isHolding = true } }

  /// Lets the held queries go, the newest first, and holds no more.
  func stopHolding() {
    let held = state.withLock { state in
      defer { state.held = [] }
      state.isHolding = false
      return state.held
    }
    for continuation in held.reversed() { continuation.resume() }
  }

  // MARK: StoreDaemon

  func products(for ids: [String]) async throws(DaemonError) -> GetProducts.Reply {
    record(.products(ids.sorted()))
    return state.withLock { state in
      GetProducts.Reply(
        products: state.products.filter { ids.contains($0.id) }, groups: state.groups, currency: "USD", locale: "en_US")
    }
  }

  func purchase(_ order: PurchaseOrder) async throws(DaemonError) -> PurchaseOutcome {
    record(.purchase(order))
    let answer = state.withLock { $0.purchase }
    return try answer(order)
  }

  func finish(_ id: TransactionID) async {
    state.withLock { _ = $0.history.finish(id) }
    record(.finish(id))
  }

  func sync() async throws(DaemonError) {
    record(.sync)
    if let error = state.withLock({ $0.syncError }) { throw error }
  }

  func transactions(_ query: TransactionQuery) async -> [SignedTransaction] {
    let snapshot = state.withLock { state -> [SignedTransaction] in
      guard !state.hasEnded else { return [] }
      let records =
        switch query {
        case .all: state.history.all()
        case .currentEntitlements: Self.entitlements(&state)
        case .unfinished: state.history.unfinished
        case .latest(let productId): state.history.latest(for: productId).map { [$0] } ?? []
        case .one(let id): state.history[id].map { [$0] } ?? []
        }
      return records.map { Self.sign($0, in: state) }
    }
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        if state.isHolding { state.held.append(continuation) }
        return state.isHolding
      }
      record(.query(query))
      if !isHeld { continuation.resume() }
    }
    return snapshot
  }

  func load() async throws(DaemonError) {
    state.withLock { $0.startsCold = false }
    record(.load)
  }

  func statuses(group: String?) async throws(DaemonError) -> [SignedStatus] {
    state.withLock { state in
      state.history.renewalInfos.values.filter { group == nil || $0.subscriptionGroupIdentifier == group }
        .sorted { $0.originalTransactionId < $1.originalTransactionId }.compactMap { Self.status($0, in: state) }
    }
  }

  func isEligibleForIntroOffer(group: String) async -> Bool { state.withLock { $0.isEligible } }

  func updates() -> DaemonStream<SignedTransaction> {
    let stream = DaemonStream<SignedTransaction>()
    let unfinished = state.withLock { state in
      state.updates.append(stream)
      return state.hasEnded ? [] : state.history.unfinished.map { Self.sign($0, in: state) }
    }
    for transaction in unfinished { stream.yield(transaction) }
    if state.withLock({ $0.hasEnded }) { stream.end() }
    return stream
  }

  func statusUpdates() -> DaemonStream<SignedStatus> {
    let stream = DaemonStream<SignedStatus>()
    state.withLock { $0.statusUpdates.append(stream) }
    return stream
  }

  func appTransaction(refresh: Bool) async throws(DaemonError) -> SignedAppTransaction {
    record(.appTransaction(refresh: refresh))
    guard let appTransaction = state.withLock({ $0.appTransaction }) else { throw .network }
    return appTransaction
  }

  func requestRefund(_ id: TransactionID) async throws(DaemonError) {
    record(.requestRefund(id))
    if let error = state.withLock({ $0.refundError }) { throw error }
  }

  func show(_ sheet: StoreSheet) async throws(DaemonError) { record(.show(sheet)) }

  func messages() -> DaemonStream<SendMessage.Reason> {
    let stream = DaemonStream<SendMessage.Reason>()
    state.withLock { $0.messages.append(stream) }
    return stream
  }

  func purchaseIntents() -> DaemonStream<SendPurchaseIntent> {
    let stream = DaemonStream<SendPurchaseIntent>()
    state.withLock { $0.intents.append(stream) }
    return stream
  }

  func storefront() async -> String { state.withLock { $0.storefront } }

  func storefrontUpdates() -> DaemonStream<String> {
    let stream = DaemonStream<String>()
    state.withLock { $0.storefrontUpdates.append(stream) }
    return stream
  }

  func appDidAppear() { record(.appear) }

  // MARK: Inside

  private func record(_ call: Call) {
    let due = state.withLock { state in
      state.calls.append(call)
      let calls = state.calls
      let due = state.waiting.filter { $0.condition(calls) }.map(\.continuation)
      state.waiting.removeAll { $0.condition(calls) }
      return due
    }
    for continuation in due { continuation.resume() }
  }

  private static func entitlements(_ state: inout State) -> [TransactionRecord] {
    if state.startsCold { return [] }
    guard state.readingsToLag == 0 else {
      state.readingsToLag -= 1
      return []
    }
    var habits = Habits()
    habits.upgradedStaysEntitled = true
    return state.history.currentEntitlements(habits: habits, at: StoreTime(milliseconds: 0))
  }

  private static func sign(_ record: TransactionRecord, in state: State) -> SignedTransaction {
    SignedTransaction(
      record: record, jws: state.jws[record.transactionId] ?? JWS.of(record),
      failure: state.failures[record.transactionId])
  }

  private static func status(_ info: RenewalInfo, in state: State) -> SignedStatus? {
    state.history[info.latestTransactionId].map { record in
      SignedStatus(info: info, infoJWS: JWS.of(info), infoFailure: nil, transaction: sign(record, in: state))
    }
  }
}
