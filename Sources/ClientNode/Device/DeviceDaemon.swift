package import Shared
import Synchronization
package import Wire

/// The store daemon of one launch of one device's app: what a client node gives to the app's host.
package final class DeviceDaemon: StoreDaemon {
  package let device: DeviceIdentity
  private let bridge: DaemonBridge
  private let mayPay: Mutex<Bool>

  init(device: DeviceIdentity, bridge: DaemonBridge) {
    self.device = device
    self.bridge = bridge
    mayPay = Mutex(device.canMakePayments)
  }

  package var canMakePayments: Bool { mayPay.withLock { $0 } }

  func allowPayments(_ allowed: Bool) { mayPay.withLock { $0 = allowed } }

  private var app: AppID { AppID(device: device.name, incarnation: device.incarnation) }

  private func ask(_ call: DaemonCall) async throws(DaemonError) -> DaemonAnswer {
    try await bridge.call(call, from: app).get()
  }

  /// The node answers each call with its own kind of answer.
  private var mismatch: DaemonError { .internalError("the store daemon answered another question") }

  package func products(for ids: [String]) async throws(DaemonError) -> GetProducts.Reply {
    guard case .products(let reply) = try await ask(.products(ids)) else { throw mismatch }
    return reply
  }

  package func purchase(_ order: PurchaseOrder) async throws(DaemonError) -> PurchaseOutcome {
    guard case .purchase(let outcome) = try await ask(.purchase(order)) else { throw mismatch }
    return outcome
  }

  package func finish(_ id: TransactionID) async { _ = await bridge.call(.finish(id), from: app) }

  package func sync() async throws(DaemonError) { _ = try await ask(.sync) }

  package func transactions(_ query: TransactionQuery) async -> [SignedTransaction] {
    guard case .success(.transactions(let list)) = await bridge.call(.transactions(query), from: app) else { return [] }
    return list
  }

  package func statuses(group: String?) async throws(DaemonError) -> [SignedStatus] {
    guard case .statuses(let list) = try await ask(.statuses(group: group)) else { throw mismatch }
    return list
  }

  package func isEligibleForIntroOffer(group: String) async -> Bool {
    guard case .success(.isEligible(let value)) = await bridge.call(.introEligibility(group: group), from: app) else {
      return false
    }
    return value
  }

  package func appTransaction(refresh: Bool) async throws(DaemonError) -> SignedAppTransaction {
    guard case .appTransaction(let signed) = try await ask(.appTransaction(refresh: refresh)) else { throw mismatch }
    return signed
  }

  package func requestRefund(_ id: TransactionID) async throws(DaemonError) { _ = try await ask(.requestRefund(id)) }
  package func show(_ sheet: StoreSheet) async throws(DaemonError) { _ = try await ask(.show(sheet)) }
  package func load() async throws(DaemonError) { _ = try await ask(.load) }

  package func storefront() async -> String {
    guard case .success(.storefront(let value)) = await bridge.call(.storefront, from: app) else {
      return device.storefront
    }
    return value
  }

  package func updates() -> DaemonStream<SignedTransaction> { bridge.updates(of: app) }
  package func statusUpdates() -> DaemonStream<SignedStatus> { bridge.statusUpdates(of: app) }
  package func storefrontUpdates() -> DaemonStream<String> { bridge.storefrontUpdates(of: app) }
  package func messages() -> DaemonStream<SendMessage.Reason> { bridge.messages(of: app) }
  package func purchaseIntents() -> DaemonStream<SendPurchaseIntent> { bridge.purchaseIntents(of: app) }
  package func appDidAppear() { bridge.appeared(app) }
}
