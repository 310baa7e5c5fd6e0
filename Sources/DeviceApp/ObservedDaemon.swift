import ClientNode
import Shared
import Synchronization
import Wire

/// A device's daemon that tells its host about calls of the app.
final class ObservedDaemon: StoreDaemon {
  private let daemon: any StoreDaemon
  private let onCall: @Sendable () -> Void
  private let lastPurchase = Mutex<TapBuy.Reply?>(nil)

  /// `onCall` is called at the end of each call that can change what an app shows.
  init(_ daemon: any StoreDaemon, onCall: @escaping @Sendable () -> Void) {
    self.daemon = daemon
    self.onCall = onCall
  }

  /// How the last purchase since the last call of this ended.
  func takeLastPurchase() -> TapBuy.Reply? {
    lastPurchase.withLock { last in
      defer { last = nil }
      return last
    }
  }

  var device: DeviceIdentity { daemon.device }
  var canMakePayments: Bool { daemon.canMakePayments }

  func products(for ids: [String]) async throws(DaemonError) -> GetProducts.Reply {
    defer { onCall() }
    return try await daemon.products(for: ids)
  }

  func purchase(_ order: PurchaseOrder) async throws(DaemonError) -> PurchaseOutcome {
    defer { onCall() }
    do throws(DaemonError) {
      let outcome = try await daemon.purchase(order)
      lastPurchase.withLock { $0 = TapBuy.Reply(outcome) }
      return outcome
    } catch {
      lastPurchase.withLock { $0 = TapBuy.Reply(error) }
      throw error
    }
  }

  func finish(_ id: TransactionID) async {
    defer { onCall() }
    await daemon.finish(id)
  }

  func sync() async throws(DaemonError) {
    defer { onCall() }
    try await daemon.sync()
  }

  func transactions(_ query: TransactionQuery) async -> [SignedTransaction] {
    defer { onCall() }
    return await daemon.transactions(query)
  }

  func statuses(group: String?) async throws(DaemonError) -> [SignedStatus] {
    defer { onCall() }
    return try await daemon.statuses(group: group)
  }

  func isEligibleForIntroOffer(group: String) async -> Bool {
    defer { onCall() }
    return await daemon.isEligibleForIntroOffer(group: group)
  }

  func appTransaction(refresh: Bool) async throws(DaemonError) -> SignedAppTransaction {
    defer { onCall() }
    return try await daemon.appTransaction(refresh: refresh)
  }

  func requestRefund(_ id: TransactionID) async throws(DaemonError) {
    defer { onCall() }
    try await daemon.requestRefund(id)
  }

  func show(_ sheet: StoreSheet) async throws(DaemonError) {
    defer { onCall() }
    try await daemon.show(sheet)
  }

  func load() async throws(DaemonError) { try await daemon.load() }

  func storefront() async -> String { await daemon.storefront() }

  func updates() -> DaemonStream<SignedTransaction> { daemon.updates() }
  func statusUpdates() -> DaemonStream<SignedStatus> { daemon.statusUpdates() }
  func messages() -> DaemonStream<SendMessage.Reason> { daemon.messages() }
  func purchaseIntents() -> DaemonStream<SendPurchaseIntent> { daemon.purchaseIntents() }
  func storefrontUpdates() -> DaemonStream<String> { daemon.storefrontUpdates() }
  func appDidAppear() { daemon.appDidAppear() }
}

extension TapBuy.Reply {
  fileprivate init(_ outcome: PurchaseOutcome) {
    switch outcome {
    case .success: self.init(phase: DeviceScreen.Phase.completed.rawValue)
    case .pending: self.init(phase: DeviceScreen.Phase.awaitingApproval.rawValue)
    case .userCancelled: self.init(phase: "cancelled")
    }
  }

  fileprivate init(_ error: DaemonError) {
    if case .simulated(.userCancelled) = error {
      self.init(phase: "cancelled")
      return
    }
    let message =
      switch error {
      case .network: "The App Store cannot be reached."
      case .refused(_, let message), .internalError(let message): message
      case .simulated(let failure): "The purchase was made to fail: \(failure.name)."
      case .appNotRunning: "The app does not run any more."
      }
    self.init(phase: DeviceScreen.Phase.failed.rawValue, message: message)
  }
}
